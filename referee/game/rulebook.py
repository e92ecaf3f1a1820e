"""The rule book by id: what an act can be refused with, a finding can name, or a case can be about.

Generated from docs/rules.md by tools/rulebook.py; do not edit. ``R-`` ids are rules of the game, ``H-`` ids are places
where the written rules leave a hole, with the choice made.
"""

from typing import Final

RULES: Final[dict[str, str]] = {
    "R-DECK-01": (
        "The pack has 32 different cards: seven, eight, nine, ten, jack, queen, king and ace in hearts, spades, "
        "diamonds and clubs. There are no jokers and there is no trump."
    ),
    "R-DECK-02": (
        "In every suit the order from the highest card to the lowest is ten, nine, eight, seven, ace, king, queen, "
        "jack. Jack, queen, king and ace are called pictures."
    ),
    "R-PLAY-01": "A table has min_players (2 or 3) to 8 seats.",
    "R-PLAY-02": (
        "Everybody plays for himself. Dealing, playing, answering and passing on a lead or a deal all go clockwise."
    ),
    "R-CARD-01": "A seat plays or lays away only cards that it holds. Any other card is refused.",
    "R-SEAT-01": (
        "With first_dealer = seat seat 0 deals first. With low_card the first dealer is drawn for: from a shuffled "
        "pack of its own each seat, from seat 0 on, gets one card, and the lowest rank deals (the jack is the "
        "lowest)."
    ),
    "H-48": (
        "When several seats tie for the lowest card of the draw, only they draw again, one card each in seat order "
        "from the cards that follow, until one alone is lowest. The draw decides the first dealer and nothing else; "
        "seats stay as they are."
    ),
    "R-CUT-01": (
        "With cut = true the shuffled pack is offered before each deal to the nearest seat in the game on the "
        "dealer's right (the first one counter-clockwise). It may cut at 1 to 31: so many cards from the top go, in "
        "their order, under the rest. It may also leave it. There is one cut in a deal and it is the deal's first "
        "act: any act but a cut, also one that is refused, means that the pack was not cut, and the cards are dealt "
        "before that act is judged. A cut that is refused changes nothing: the pack is still offered. A deal that "
        "repeats a void round is offered for a cut again. A round that starts from given hands has no cut."
    ),
    "R-DEAL-01": (
        "Each seat in the game gets four cards (more in a finale: chapter 16), clockwise beginning with the next seat "
        "on the dealer's left; the dealer comes last."
    ),
    "R-DEAL-02": (
        "Cards are dealt from the top in packets: one card to each seat in turn until all have their cards "
        "(deal_pattern = one_by_one), two at a time (two_two) or four at a time (four). When a packet is more than "
        "what is still missing in a hand, the packet is what is missing."
    ),
    "R-DEAL-03": (
        "What is left of the pack is the stock, face down, in pack order. It serves exchanges and chance draws and "
        "nothing else."
    ),
    "R-DEAL-04": (
        "With blind = true hands lie unseen until P2 is closed (chapter 3). A seat may look earlier all the same: the "
        "act peek, legal for every seat in the round while P2 is open and no blind toep has been made, once a seat. "
        "It costs one point, at once, and after the first peek of a round nobody may toep blind in it any more; it "
        "does not close P2, so others may still peek. With blind = false hands are seen from the deal on and there is "
        "nothing to peek at."
    ),
    "R-DEAL-05": (
        "With next_dealer = winner whoever won the round deals the next one. With left the deal goes to the next seat "
        "in the game on the dealer's left, whoever won, and also when nobody did. See H-05 when a folded card won the "
        "last trick and H-14 when the next dealer is out. With winner a round that nobody won leaves the deal where "
        "it is if H-05 names nobody. Under either value a void round leaves it where it is, and so does a game that "
        "stops in the middle of a round (H-11, H-47)."
    ),
    "R-LEAD-01": (
        "The next seat in the round on the dealer's left leads to the first trick. A blind toep (R-BLIND-07) comes "
        "before this rule, and so does armoede where armoede_leads says so (R-ARM-05)."
    ),
    "H-14": (
        "If the seat that should deal or lead is not in the game or, for a lead, not in the round any more, the next "
        "seat clockwise that is takes its place. Two dealers are not replaced, even if they are out: the one of a "
        "start (chapter 21) and the one who stays when a game stops in the middle of a round. When nobody is left in "
        "the game, the seat that should deal is named all the same (with left: the last dealer)."
    ),
    "R-TURN-01": (
        "An act is refused when somebody else must act now, or when the act belongs to another phase: also after the "
        "end of the game, between two rounds, and when there is nothing to answer."
    ),
    "R-OUT-01": (
        "Who has left the round, or the game, has no act in it. The only exceptions are resigning, which needs only "
        "to be in the game, and the peek of a seat that declined a blind toep. A seat number that the table does not "
        "have is treated as a seat out of the game."
    ),
    "H-41": (
        "Answers are final. A fold, a stay or a sealed answer cannot be taken back or changed, and in clockwise mode "
        "nobody answers before his turn."
    ),
    "R-BLIND-01": (
        "With blind = true a seat in the round may toep before anybody has seen a card: the act blind, in P2. There "
        "is at most one blind toep in a round. It is answered at once (R-ANS-01). After it P2 offers nothing more "
        "than the peek of R-BLIND-04. For that it stays open when the answers are in: hands are not seen, and four "
        "alike not shown, before a decliner has had his chance to look."
    ),
    "R-BLIND-02": (
        "A blind toep takes the stake from 1 to blind_stake. The blind toeper has accepted that stake and is the last "
        "toeper; the next toep, by somebody else, raises it by one as always."
    ),
    "R-BLIND-03": (
        "Who goes along with a blind toep and loses pays the stake, blind_stake if nobody raises further; who "
        "declines pays 1, the stake that he had accepted (R-SCORE-03)."
    ),
    "R-BLIND-04": (
        "A seat that declined a blind toep puts its hand away unseen. It may look at it all the same, once: the act "
        "peek, from the last answer on until the round ends, but not while answers or discards are outstanding. That "
        "costs one point at once."
    ),
    "R-BLIND-05": (
        "With blind_who = most_points only a seat that has as many points as anybody in the game may toep blind; of "
        "several with the most each may. With anyone everybody may."
    ),
    "R-BLIND-06": (
        "There is no blind toep once somebody has peeked in this round, and none while any seat in the game is "
        "exactly one point short of the limit; the latter holds with armoede on or off."
    ),
    "R-BLIND-07": (
        "The blind toeper leads to the first trick; he has the lead from the blind toep on. If he has left the round "
        "when the answers are in, the next seat in the round on his left leads."
    ),
    "H-32": (
        "The answers to a blind toep are given without looking. Who stays looks free of charge once all have answered "
        "(the referee shows all hands when P2 is closed). Each seat's price for declining is the stake before, 1; "
        "declining a later toep to blind_stake + 1 costs blind_stake."
    ),
    "H-33": (
        "The cap of R-TOEP-08 holds for blind toeps too: points + blind_stake may not be more than the limit. Two "
        "blind toeps at once are decided like two toeps (H-01), clockwise from the dealer's left."
    ),
    "H-34": (
        "A blind toep and armoede never meet: nobody may be a point short of the limit, and armoede opens only a "
        "stake of 1. Exchanges come after the blind toep; a seat that declined it has no hand to exchange."
    ),
    "R-KANS-01": (
        "With four_alike = win a seat that holds all four cards of one rank wins the round at once. The referee shows "
        "such hands by himself, at the moment P2 is closed: nobody has to claim it. With blind = false that is the "
        "deal, and the round can be over as soon as it is dealt. Everybody else in the round pays three, whatever the "
        "stake. An act that would close P2 while somebody holds four alike is refused with this id: the hands are "
        "shown first, and the round is over. It does not apply in finales, and four alike that come from an exchange "
        "win nothing."
    ),
    "R-KANS-02": (
        "When several seats show four alike the higher rank wins (R-DECK-02); the others pay three like everybody."
    ),
    "R-KANS-03": (
        "With chance = true a seat in the round that holds exactly three cards of one rank may take one card from the "
        'top of the stock before anybody exchanges or plays: the act chance, "kans op toep", in P4, one draw a seat '
        "in a round, as long as the stock has a card. If it is the fourth of that rank, the seat shows it and wins at "
        "once as in R-KANS-01. Either way the odd card leaves the hand (R-KANS-04)."
    ),
    "R-KANS-04": (
        "The card that did not belong to the three, as dealt, is laid aside, face down and out of play; the drawn "
        "card takes its place. So a draw that misses exchanges one card."
    ),
    "R-KANS-05": "There is no bluffing with a chance draw: without exactly three cards of one rank it is refused.",
    "R-KANS-06": (
        "The chance draw goes together with signals, exchange and jack bonus. Each follows its own rules, in the "
        "order of the phases."
    ),
    "H-24": (
        "A hand of three equal pictures and a fourth may both draw and exchange: the draw comes first, and after it "
        "the seat may still exchange. After anybody's exchange nobody draws."
    ),
    "H-25": (
        "Any rank will do for four alike, not just jacks and tens. A beaten hand of four jacks earns nothing "
        "(R-BOER-02)."
    ),
    "H-26": (
        "If seats had declined a blind toep before four alike were shown they have paid their 1, and only seats still "
        "in the round pay three."
    ),
    "H-27": (
        "Four alike either win, or oblige to stand up (R-FLUIT-03), or mean nothing: one option, four_alike = win, "
        "stand or off."
    ),
    "H-29": (
        "A false claim of three alike cannot happen: the referee knows the hands and refuses it (R-KANS-05). Nobody "
        "is removed from the game for it."
    ),
    "R-WAS-01": (
        "With exchange = off nobody exchanges. With once and until_empty a seat in the round may lay down a bad hand "
        "for a new one."
    ),
    "R-WAS-02": (
        "A hand is genuine, a real dirty wash, when it is four pictures: jacks, queens, kings, aces, in any mix."
    ),
    "R-WAS-03": (
        "With exchange_seven = true a hand of three pictures and one seven is genuine as well. Two sevens never are."
    ),
    "R-WAS-04": (
        "To exchange is to lay down the whole hand face down and take four cards from the top of the stock: the act "
        "exchange. Nobody sees the old hand unless it is checked."
    ),
    "R-WAS-05": "Any hand may be exchanged, also one that is not genuine. That is a bluff and legal.",
    "R-WAS-06": (
        "Any other seat in the round may have the hand of the latest exchange turned up for all to see: the act "
        "challenge. Nobody checks his own exchange."
    ),
    "R-WAS-07": "If the hand turned up was genuine the one who checked gets one point, and the exchange stands.",
    "R-WAS-08": (
        "If it was a bluff the one who exchanged gets one point. With exchange_caught = new_hand he plays on with the "
        "new cards; with old_hand he takes the old ones back, and the four drawn go under the stock (H-21)."
    ),
    "R-WAS-09": "An exchange that nobody checks stands and costs nothing.",
    "R-WAS-10": (
        "Exchanging and checking are over with the first act of P6 or P7: the first answer to armoede, toep or card."
    ),
    "R-WAS-11": (
        "With once a seat exchanges at most once in a round, caught or not. With until_empty it may do so again, and "
        "so may everybody, as long as the stock lasts."
    ),
    "R-WAS-12": "With fewer than four cards in the stock nobody exchanges.",
    "R-WAS-13": "Nobody has to exchange, however bad the hand.",
    "R-WAS-14": "Exchanging goes together with a blind toep: it comes after the answers, for those still in.",
    "H-20": (
        "Whether the stock can serve an exchange is tested first: if not, the hand is never laid down. After a deal "
        "of four cards a hand the stock is good for six exchanges with two seats, five with three, then four, three, "
        "two, one, and none with eight; a chance draw leaves the stock a card short of that."
    ),
    "H-21": (
        "Hands laid down are out of play and never come back into the stock. When a bluff is caught under old_hand, "
        "the four drawn cards go to the bottom of the stock in the order in which they were drawn, so the stock is as "
        "large as before."
    ),
    "H-22": (
        "An exchange is checked once. The check is open from the exchange to the next exchange, the check itself, the "
        "first act of P6 or P7, or until the one who exchanged leaves the round. The first challenge counts (of "
        "several at once that of the next seat clockwise from the one who exchanged), and only its author can be "
        "charged."
    ),
    "H-23": (
        "Where a source names only the stock as the end of exchanging, the same seat may exchange again: until_empty."
    ),
    "R-ARM-01": (
        "With armoede = true a seat that is one point from the end opens the stake. With false being one point short "
        "has no other consequence than that the cap forbids it to toep (H-18)."
    ),
    "R-ARM-02": (
        "A seat is in armoede in a round when it is in the round and has exactly M - 1 points at the moment P6 opens, "
        "and the stake is 1 then. Points that fall before (from a peek or a check) count, in both directions; points "
        "that fall later change nothing."
    ),
    "R-ARM-03": (
        "Armoede counts as a toep by the armoede player: the stake opens at 2, the seats in armoede have accepted 2, "
        "and everybody else in the round is asked to stay, for 2, or to fold, for 1. That is so with dood = auto, "
        "too: only in a rounds match can one of those who are asked be dood (at M or above, by penalties), and "
        "R-DOOD-03 does not hold for the opening."
    ),
    "R-ARM-04": (
        "The others see their hands, and may still signal, draw and exchange, before they answer. Until their answers "
        "are in no card is played and nobody toeps: before the first answer such an act is refused with this id."
    ),
    "R-ARM-05": (
        "With armoede_leads = true the armoede player leads to the first trick; with false the lead is where it would "
        "be without armoede. It has the lead from the opening of P6 on. As long as nobody is to be asked (H-16) it "
        "has it before that, too, because its card is what opens P6."
    ),
    "R-ARM-06": (
        "The answers are given as to a toep of the armoede player: clockwise from his left, not from the dealer's."
    ),
    "R-ARM-07": "If there is one seat in armoede and all others fold, it wins the round and pays nothing (R-FOLD-04).",
    "R-ARM-08": (
        "Seats in armoede are not asked. If there are several and all others fold, those in armoede play the round "
        "among themselves for 2; all of them but the winner reach the limit."
    ),
    "R-ARM-09": "A seat that opened the stake in armoede does not toep in this round, also if the cap would let it.",
    "R-ARM-10": "Once the answers are in the others may raise further by the ordinary rules, first to 3.",
    "H-10": (
        "The armoede player cannot fold on his own opening (R-FOLD-05). When somebody raises later he is dood and "
        "treated like anybody who is: with dood = auto he goes along automatically, or is asked when he is the "
        "toeper's only opponent (R-DOOD-04); with free he is asked. Should he fold, he pays what he accepted and has "
        "reached the limit."
    ),
    "H-15": (
        'With several seats in armoede "the armoede player" is the first of them clockwise from the dealer\'s left. He '
        "is the last toeper, he leads where armoede_leads says so, and the asking begins on his left."
    ),
    "H-16": (
        "If all seats in the round are in armoede nobody is asked. The stake is 2 nevertheless, from the first act of "
        "P7 on; under overshoot = clamp that shows nowhere, under record 2 is booked."
    ),
    "H-17": (
        "Leading is a duty of the armoede player, where he leads, not only a right. His opponents answer in the order "
        "of R-ARM-06, also where a source names no order."
    ),
    "H-18": (
        "In the rules of cafe armoede is a habit of many groups and not of all: off unless switched on. That a seat "
        "one point short of the limit cannot toep holds always, by R-TOEP-08."
    ),
    "R-SUIT-01": (
        "Whoever has a card of the suit led must play one; who has none plays any card. With revoke = reject a card "
        "that breaks this is refused; with penalise see chapter 19."
    ),
    "R-SUIT-02": "A card of another suit than the one led does not win the trick. The only exception is chapter 11.",
    "R-SUIT-03": (
        "The suit of the first card is the suit led until the trick is closed, also if its player folds or dies."
    ),
    "R-TRICK-01": (
        "The highest card of the suit led wins the trick. Whether cards of folded players count is R-FOLD-02."
    ),
    "R-TRICK-02": "Whoever won a trick leads to the next.",
    "R-TRICK-03": (
        "If the seat that should lead is not in the round (it folded after winning the trick, or with folded_cards = "
        "win it had folded already), the next seat in the round on its left leads. If it leaves while a toep is being "
        "answered, the lead passes on when the answers are in."
    ),
    "R-TRICK-04": (
        "Cards that were played are open and stay known to everybody until the round ends, those of folded players "
        "included. Putting won tricks away face down, as one source does, hides nothing from a player with a memory, "
        "and the referee does not imitate it."
    ),
    "R-WIN-01": (
        "Whoever wins the last trick (the fourth; in a finale the eighth) wins the round. How many tricks anybody won "
        "before means nothing."
    ),
    "H-08": (
        "A trick is closed as soon as every seat still in the round has played to it. That can come about without a "
        "card, when the last one that still had to play folds, dies or resigns: then it is closed when the answers "
        "are in. Cards on the table are never simply counted against the number of players."
    ),
    "H-09": (
        "When the seat on turn leaves the round, the turn goes to the next seat clockwise that is in the round and "
        "has not played to this trick. If it was to lead, R-TRICK-03 applies."
    ),
    "H-46": (
        "The shortest text says nothing about who leads to later tricks, who deals next, or toeping over oneself; for "
        "it the rules that the others share are taken: R-TRICK-02, R-TRICK-03, R-DEAL-05, R-TOEP-04."
    ),
    "R-TOEP-01": "A toep is one act, toep. At a table one knocks and says it; nothing else counts as a toep.",
    "R-TOEP-02": (
        "With toep_who = anyone a toep is legal at any moment of P7, also inside a trick, and it may itself be what "
        "opens P7. With on_turn only the seat whose card is due may toep (before the first card that is the leader)."
    ),
    "R-TOEP-03": "Anybody in the round may toep, on turn or not, also after having played to the trick.",
    "R-TOEP-04": (
        "Nobody toeps over himself: the last toeper of the round may not be the one who toeps. It does not matter how "
        "many seats have folded since, or whether they resigned."
    ),
    "R-TOEP-05": (
        "Whoever toeps again after another's toep has gone along with that one. This needs no test of its own: who "
        "did not go along has folded."
    ),
    "R-TOEP-06": "Only seats still in the round raise further.",
    "R-TOEP-07": "No card is played while a toep, a blind toep or armoede is being answered.",
    "R-TOEP-08": (
        "The raised stake may not be more than what the one who toeps has left: points + stake + 1 must not be more "
        "than the limit, with the stake before the toep and the points of that moment. Points below zero count as "
        "they are."
    ),
    "R-TOEP-09": "There is no such cap on going along.",
    "R-ANS-01": (
        "A toep is answered by every other seat in the round. With answers = clockwise they answer one by one, "
        "clockwise from the left of the one who toeped: stay or fold. Automatic seats are left out of the row (H-19)."
    ),
    "R-ANS-02": (
        "With answers = simultaneous all that are asked answer sealed, in any order; nobody learns an answer, and "
        "none has an effect, until the last one is in. Then all take effect together. Blind toeps and armoede are "
        "answered in the same way as toeps, under either value."
    ),
    "R-ANS-03": (
        "When all answers are in play goes on exactly where it stopped: same trick, same seat on turn (but H-08, "
        "H-09, R-TRICK-03, and the end of the round by R-FOLD-04)."
    ),
    "H-01": (
        "Toeps are handled one after the other. Of several that reach the referee at once, the one of the seat on "
        "turn counts, else that of the next seat clockwise from it. The others are not queued: they count as not "
        "made, and their authors answer the toep like everybody. They may toep again when the answers are in."
    ),
    "H-02": (
        "While a toep, a blind toep or armoede is being answered nobody toeps, with one exception. With "
        "overtoep_as_answer = true the seat that is to answer next may answer a toep in P7 by toeping: it goes along "
        "and raises in one act. The cap counts from the stake as already raised; toep_who is not tested. Then every "
        "other seat in the round, the earlier toeper and those that had stayed included, answers the new stake, "
        "clockwise from the new toeper. Prices stay what they are by R-SCORE-03: who had not been asked yet has "
        "accepted only what he had accepted before."
    ),
    "H-03": (
        "The first moment for a toep is when P7 can open: nothing outstanding, no armoede to be answered, no four "
        "alike to be shown. The last is just before the last card of the last trick falls; also between two tricks, "
        "and also by a seat whose last card lies on the table already. After the round, never."
    ),
    "H-42": (
        "Sealed answers: a seat that has answered does not answer again (R-ANS-01); a seat that resigns takes its "
        "answer with it. A seat with a sealed fold is in the round until all answers are shown, and as long as two "
        "seats are in it everybody who has not answered is still asked. Should the answers, when shown, leave nobody "
        "in the round (the toeper has resigned), the round has no winner (R-DEAL-05 says who deals). Should giving up "
        "leave one seat in the round while answers are sealed, that seat wins at once (R-FOLD-04), also if it has "
        "sealed a fold, which is then not booked. Should giving up end a first-out game before all have answered, "
        "sealed folds are not booked. A dood seat that R-DOOD-04 lets choose is asked after the folds have shown. A "
        "seat that says nothing at a table is taken to stay."
    ),
    "R-FOLD-01": (
        "Whoever folds puts his unplayed cards away, unseen, and is done with this round. What he played stays on the "
        "table."
    ),
    "R-FOLD-02": (
        "May a card win a trick when its player has folded since? With folded_cards = win it may. With excluded only "
        "cards of seats still in the round can win; the others count for nothing, except that a folded leader's card "
        "still says which suit was led (R-SUIT-03). The same holds for cards of seats that died or resigned."
    ),
    "R-FOLD-03": (
        "With win, if a folded card wins the last trick nobody wins the round. Its player has paid his price for "
        "folding; everybody in the round pays the stake."
    ),
    "R-FOLD-04": (
        "The only seat left in the round wins it at once and pays nothing. This comes before R-FOLD-03 and needs no "
        "further card."
    ),
    "R-FOLD-05": (
        "Nobody folds on his own toep. While a toep is being answered a fold by the last toeper is refused with this "
        "id."
    ),
    "R-FOLD-06": (
        "Folding is an answer and nothing else: without a toep, a blind toep or armoede to answer one cannot fold."
    ),
    "H-04": (
        "One option decides for all tricks whether folded cards can win, because the two ways give different leaders: "
        "with win the trick goes to the folded card and the lead to the left of its player, with excluded the best "
        "remaining follower wins and leads."
    ),
    "H-05": (
        "When a folded card wins the last trick and the winner is to deal (R-DEAL-05), its player deals if he is "
        "still in the game after the round, else the next seat in the game on his left. He has not won the round: no "
        "jack bonus, no cross."
    ),
    "R-TIE-01": (
        "With folded_cards = excluded it can happen that among the cards that count none is of the suit led: the "
        "leader has folded, died or resigned, and nobody else could follow. Then, and only then, an order of all "
        "cards decides the trick."
    ),
    "R-TIE-02": (
        "With no_follower = rank_then_suit the higher rank wins, and among equal ranks hearts before spades before "
        "diamonds before clubs. With suit_then_rank the suit counts first, in the same order of suits, and the rank "
        "within it."
    ),
    "H-06": (
        "The shortest text excludes folded cards and names no order of suits; it gets the only explicit one there is, "
        "rank first."
    ),
    "H-07": (
        "The text that names only suits is read as rank first as well, which fits its example; the other reading is "
        "the option suit_then_rank."
    ),
    "R-DOOD-01": (
        "A seat is dood when points + the last stake it accepted are at least M: losing now takes it to the limit. A "
        "seat at M - 1 is dood from the start of every round."
    ),
    "R-DOOD-02": "A dood seat cannot toep, by R-TOEP-08 (a further toep would be more than it has left). Others may.",
    "R-DOOD-03": (
        "A dood seat has nothing more to lose by further toeps. With dood = auto it goes along with them "
        "automatically: no question and no act. An answer of it is refused, by R-ANS-01 while others answer and by "
        "R-TURN-01 after that. It thereby accepts the raised stake. With free it is asked like everybody, and may "
        "fold for what it accepted last."
    ),
    "R-DOOD-04": (
        "With auto there is one exception. If, when all other answers are in, exactly one seat besides the toeper is "
        "left in the round and it is automatic, it is asked after all and may stay or fold (folding, too, takes it to "
        "the limit). If several automatic seats are left besides the toeper, or others with them, all automatic ones "
        "go along."
    ),
    "H-19": (
        "Who is automatic is decided when the toep is made, by the stake accepted before it. Those seats are left out "
        "of the row of answers and settled when the last other answer is in. That order is what lets R-DOOD-04 know "
        "who is left."
    ),
    "R-FLUIT-01": (
        "With signals = announce or penalty, who holds exactly three tens must whistle, or sing if he cannot whistle: "
        "the act signal with the sign whistle or sing."
    ),
    "R-FLUIT-02": "Three jacks oblige to the same with jacks_signal = must; with may they oblige to nothing.",
    "R-FLUIT-03": (
        "With four_alike = stand as well, four tens oblige to stand up, sign stand; four jacks do so with "
        "jacks_signal = must and oblige to nothing with may. With other values of four_alike four of a kind oblige to "
        "nothing here."
    ),
    "R-FLUIT-04": (
        "With signals = penalty a seat that plays its first card of the round without having given the sign it owes "
        "gets one point, directly after the card. With announce forgetting costs nothing. whistle and sing are the "
        "same sign. It counts whenever it was given in this round, also before an exchange or before a first card "
        "that came back."
    ),
    "H-28": (
        "The sign is due before one's own first card and judged by the hand from which that card is played. Signals "
        "are legal from P3 on until one's own first card has fallen, except while answers are outstanding and except "
        "in finales. Every sign is then legal, for any hand and repeatedly: a false whistle is free. If the round "
        "ends before a seat's first card it owes nothing. A first card that comes back (R-VERZ-02) makes the seat's "
        "next card its first again: it may signal, and forgetting again costs again."
    ),
    "R-SCORE-01": (
        "A round starts at stake 1. When it is decided its winner pays nothing, and every other seat in the round "
        "pays the stake (for four alike: three)."
    ),
    "R-SCORE-02": (
        "Each toep raises the stake by exactly one. Only a blind toep (R-BLIND-02) and armoede (R-ARM-03) set it "
        "otherwise."
    ),
    "R-SCORE-03": (
        "Whoever folds pays at once, and pays the last stake that he had accepted. That one formula holds for every "
        "toep, for blind toeps and armoede, for sealed answers and for toeps as answers."
    ),
    "R-SCORE-04": (
        "Where all toeps are answered before the next: declining the n-th toep costs n, staying for it and losing "
        "costs n + 1, and without a toep losing costs 1."
    ),
    "R-SCORE-05": "Who toeped and does not win pays like everybody.",
    "R-SCORE-06": (
        "With overshoot = clamp nobody is shown with, or charged for, more points than the limit: the total is M at "
        "most, and what a round changed is the difference of two such totals."
    ),
    "R-SCORE-07": "The limit M is the option limit.",
    "R-SCORE-08": (
        "count = up shows points, lives shows M - points. It is a matter of display; records, cases and this page "
        "count points."
    ),
    "H-13": (
        "When several seats reach the limit in one round by folding, it does not matter who folded first: everything "
        "is booked, and the limit is tested once, at the end of the round."
    ),
    "H-43": (
        "With overshoot = record totals are shown as they fell, also above the limit. Nothing but the display, and "
        "the places in games where totals decide them, uses the excess."
    ),
    "H-44": "Nine tokens are a limit of nine, and the arithmetic of caps and armoede follows from that.",
    "R-BOER-01": (
        "With jack_bonus = true a seat that wins the round by taking the last trick with a jack gets one point less, "
        "after the round's points are booked. Points may go below zero."
    ),
    "R-BOER-02": "Winning by showing four jacks, dealt or completed by a chance draw, counts as winning with a jack.",
    "H-30": (
        "The last trick has to be won: if all others left the round before it was closed there is no bonus, even if "
        "the jack lies on the table. A trick closed by a fold with two or more seats left is won in the ordinary way. "
        "A folded jack that takes the last trick earns nothing."
    ),
    "H-31": (
        "The bonus is plain arithmetic, one point off at once, not a credit to be used at the next loss. The new "
        "points count for armoede, caps and everything else: at M - 1 a win with a jack ends the poverty. It is "
        "booked before the limit is tested, so a seat that a penalty took to M in this round can be saved by it."
    ),
    "R-GRAF-01": (
        'With finale = both_poor ("wit graf") the next round is a finale when exactly two seats are in the game and '
        "both have exactly M - 1 points. Each is dealt eleven cards and lays three of them away, hidden, before play: "
        "the act discard. Eight tricks are played, and the winner of the eighth wins the round."
    ),
    "R-GRAF-02": (
        'With finale = two_left ("hachie-hachie") every round with exactly two seats in the game is such a finale, '
        "whatever their points."
    ),
    "R-GRAF-03": (
        'With grey_grave = true ("grijs graf") the next round is a finale when exactly three seats are in the game '
        "and all have exactly M - 1 points: eight cards each, nothing is laid away, eight tricks."
    ),
    "H-37": (
        "In every finale exchange, chance draw and signals are refused with this id, and four alike mean nothing; "
        "they belong to hands of four. Toeps, their cap, dood, armoede, dealer and lead are as always. Discards are "
        "exactly three different cards of one's own hand, made in any order and sealed; they are outstanding from the "
        "closing of P2 until every seat in the round has made them, and while P2 is still open a discard closes it. "
        "In both_poor the cap forbids every toep and the stake does not matter; two_left repeats until one seat "
        "reaches the limit."
    ),
    "H-38": (
        "Three seats at M - 1 with grey_grave play that one round and both losers are out, so it ends the game. It "
        "takes the place of the finale for two and does not lead up to it."
    ),
    "R-LIJN-01": (
        "With folds_in_row = n above 0 a seat that has declined n times in a row must go along the next time it is "
        "asked (staying, or toeping where H-02 lets it): a fold is refused with this id. Any way of going along, also "
        "an automatic one, sets its count back (H-36). 0 switches the rule off."
    ),
    "H-36": (
        "Counted are, by seat and across rounds, toeps, blind toeps and armoedes that were answered with a fold. "
        "Staying, going along automatically and toeping as an answer set the count back to 0, also when staying was "
        "forced, so a later toep of the same round may be declined again. Toeping of one's own accord, rounds in "
        "which one is not asked, and leaving a round by confessing a revoke change nothing. A sealed answer counts "
        "when it is given. The only opponent of R-DOOD-04 is bound as well."
    ),
    "R-KRUIS-01": (
        "With crosses = n above 0 a seat that wins n rounds in a row takes the player with the fewest points out of "
        "the game, itself excepted. It happens after those who reached the limit in that round have left. Winning by "
        "folds or by four alike counts as much as winning the last trick."
    ),
    "H-35": (
        "Of several seats with the fewest points the first one clockwise from the winner goes. The winner's row "
        "starts again from 0. The eliminated seat's points stay as they are. If the winner is not in the game any "
        "more, or nobody else is, nothing happens. Whoever did not win a round has a row of 0 after it; a round that "
        "nobody wins breaks all rows; a void round changes none."
    ),
    "R-VERZ-01": (
        "To revoke is to play a card of another suit than the one led while holding a card of that suit. With revoke "
        "= reject it is impossible (R-SUIT-01), and there is nothing to confess. With penalise every card in hand may "
        "be played, and these rules apply."
    ),
    "R-VERZ-02": (
        "A seat may own up to its latest revoke of the round: the act confess. If no card at all has been played "
        "since, the card comes back into the hand, costs nothing, and a card of the suit led has to be played in its "
        "place; any other is refused by R-SUIT-01. Cards that came back count as never played, here and in R-VERZ-03; "
        "so of two revokes in a row both can come back, the later one first, and then both seats have to follow suit "
        "with their next card. If the trick has been closed since, by the card or by folds, it is open again. Toeps "
        "and answers given in between stand. A card that came back is no revoke any more: it cannot be confessed "
        "again, and nothing proves it. Without a revoke of one's own in this round a confession is refused with this "
        "id."
    ),
    "R-VERZ-03": (
        "If exactly one card has been played since, by whomever, the confession costs the stake in force plus one, at "
        "once; the seat is out of the round as if it had folded, its wrong card counts for no trick, and the others "
        "play on."
    ),
    "R-VERZ-04": (
        "Any later confession, and every revoke that proves itself, stops the round: the revoker pays three, and the "
        "round is void (chapter 20) and dealt again by the same dealer."
    ),
    "H-39": (
        "Nobody accuses. A revoke proves itself by open cards: the seat plays a card of a suit that it denied earlier "
        "in this round (a suit that was led while it played another, unless that card came back). The proving card is "
        "played, and then the round is stopped instead of going on: the trick is not closed and nobody wins it, also "
        "when it was the last card. A revoke that no card proves stays unpunished. When the revoker played last to a "
        "trick, the next card is the lead to the next trick; a trick that is closed stays closed in R-VERZ-03. The "
        "price of R-VERZ-03 is a price for folding: if the round becomes void later it is cancelled too. It does not "
        "count as a fold for R-LIJN-01."
    ),
    "H-40": "If R-VERZ-03 leaves one seat in the round, that seat wins (R-FOLD-04).",
    "R-END-01": (
        "With game_end = first_out the game is over as soon as a finished round leaves somebody with M points or "
        "more. He has lost; so have all who got there in that round."
    ),
    "R-END-02": (
        "With game_end = last_standing whoever has M points or more is out of the game, and the others play on. The "
        "game is over when at most one seat is left in it; that seat has won."
    ),
    "R-END-03": (
        "In a first_out game places go by total, the fewest points first, and so the winner has the fewest. In a "
        "last_standing game seats still in the game come first, by total; then seats that are out, who left later "
        "before who left earlier, among those who left together who has the lower unclamped total, then who had fewer "
        "points before that round. Whoever is equal in all of it shares a place, and the places after it are skipped: "
        "1, 1, 3."
    ),
    "H-11": (
        "Reaching the limit in the middle of a round. (1) By folding: the seat is out of the round anyway; the others "
        "finish the round, and then the limit is tested. (2) By a penalty before the first card of the round has "
        "fallen (a peek, a check): at once. In a first_out game the game is over, the round has no winner, only "
        "prices for folding and penalties are booked, and the dealer stays, even if he is out; everybody who is at "
        "the limit then has lost. In a last_standing game the seat is out of the game at once and its hand is dead; "
        "the others go on, and if one is left in the round he wins it. (3) By a penalty after the first card (a "
        "forgotten signal, a decliner's late peek): booked at once, tested at the end of the round; until then the "
        "seat plays on. In a rounds match all of these are booked and nobody leaves."
    ),
    "H-12": (
        "All seats that reach the limit in the same round lose, or leave, together. When nobody is left the game has "
        "no survivor and places are found as in R-END-03; the first place may then be shared."
    ),
    "H-47": (
        "No source has a rule for giving up. A seat in the game may resign whenever a round is being played, also "
        "when others must act and also after folding. Its points become M (if it has more, they stay), its hand is "
        "dead and it leaves the game at once. In a last_standing game the others go on: a pending answer of it falls "
        "away (if it was the last one that was awaited, play goes on, and sealed answers show), its turn or lead "
        "passes on, its played cards are treated like those of a folded seat, and if one seat is left in the round it "
        "wins. In a first_out game that is the end: the round has no winner, only prices for folding, penalties and "
        "the resigner's points are booked, the resigner has lost and so has everybody else who is at the limit then "
        "(H-12), and the dealer stays, even if he is out. What the referee does about silent or faulty players, "
        "forfeits included, is not part of the rules of the game; a forfeit has the effect of resigning."
    ),
    "R-SEAT-02": (
        "Not applicable to a referee: keeping the score is the job of whoever deals first; the referee keeps it."
    ),
    "R-DEAL-06": (
        "Not applicable to a referee: a misdeal or an exposed card leads to a new deal; the referee does not misdeal."
    ),
    "R-TIE-03": (
        "Not applicable to a referee: other ways to settle a trick that nobody followed: the toeper's card names the "
        "suit, or there is no order of suits; no source of this project has them; R-TIE-02 decides."
    ),
    "R-ARM-11": (
        "Not applicable to a referee: in German relatives a poor player knocks twice with one knock, whatever he has "
        "left; another game."
    ),
    "R-WAS-15": (
        'Not applicable to a referee: elsewhere "witte was" means four pictures and "vuile was" three pictures and a '
        "seven; a matter of names; the act is called exchange."
    ),
    "R-BOER-03": (
        "Not applicable to a referee: houses where a win with a jack doubles the loss of the others, or takes no one "
        "below zero; not in the sources; R-BOER-01 decides."
    ),
    "R-BLIND-08": (
        "Not applicable to a referee: relatives of the blind toep: knocking in the dark, two and a third; another game."
    ),
    "R-GRAF-04": "Not applicable to a referee: a final between the losers of two halves; another game.",
    "R-VERZ-05": (
        "Not applicable to a referee: a wrong card that ends the round for its player alone, or a lead out of turn "
        "that counts as a fold; another game; a lead out of turn is refused."
    ),
    "R-END-04": (
        "Not applicable to a referee: a new rubber, all with full lives, after a winner is found; a match is one "
        "game; a sitting of several is an event."
    ),
    "R-END-05": (
        'Not applicable to a referee: the title "toepkoning" for whoever was last survivor three times or more; '
        "events count that."
    ),
    "R-END-06": (
        "Not applicable to a referee: buying oneself back in at the highest surviving score; a house rule that no "
        "source has."
    ),
    "R-END-07": (
        "Not applicable to a referee: other names of the game: proeven, droefen, toeven, snoepen, poeken; names."
    ),
    "H-45": (
        "Not applicable to a referee: who deals first in the next game of a sitting: the winner of the last round; "
        "events decide that."
    ),
}
"""By id, in the order of the rule book: the whole entry, as plain text."""
