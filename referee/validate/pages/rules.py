"""Level L3: rules and conduct."""

from typing import Final

from referee.validate.pages.page import Page

RULES: Final[dict[str, Page]] = {
    "E301": Page(
        "senseless rules",
        "The rule set in the head contradicts itself: one option needs another one to have a value that it does not "
        "have. No referee plays such a match.",
        "L3",
    ),
    "E302": Page("wrong number of seats", "The rules in the head do not take so many players.", "L3", "R-PLAY-01"),
    "E303": Page(
        "draw without a rule",
        "Cards were drawn for the first deal, but by the rules in the head seat 0 deals first.",
        "L3",
        "R-SEAT-01",
    ),
    "E304": Page("no such seat", "The record names a seat that this match does not have.", "L3"),
    "E306": Page(
        "wrong draw",
        "For the first deal every seat draws one card, from seat 0 on; those who drew the lowest rank draw again, "
        "until one of them is alone with it. The log names other seats, or stops too early or too late.",
        "L3",
        "R-SEAT-01",
    ),
    "E307": Page(
        "draw missing",
        "By the rules in the head the first dealer is drawn by low card, and the first round begins without a draw.",
        "L3",
        "R-SEAT-01",
    ),
    "E308": Page(
        "entropy of another table",
        "The `entropy` has one value for each seat of the match, null for a player who gave none. This one has more or "
        "fewer.",
        "L3",
    ),
    "E309": Page(
        "conduct without a clock",
        "A bank, and what is added to it, are counted from the times in the log. Under clock `none` there are none.",
        "L3",
    ),
    "E310": Page(
        "round after the end of the match",
        "By the rules the match was over: a player had reached the limit, one was left, or all rounds were played. "
        "And yet another round begins.",
        "L3",
    ),
    "E311": Page(
        "wrong dealer",
        "The winner of a round deals the next one, or whoever the rules name instead; in a match of independent "
        "rounds the deal moves one seat each round; after a void round the same seat deals again.",
        "L3",
        "R-DEAL-05",
    ),
    "E312": Page(
        "wrong round number",
        "Rounds count from 1 without gaps; a void round is dealt again under the same number.",
        "L3",
    ),
    "E313": Page(
        "wrong try",
        "`try` is 1, and one more each time that the same round is dealt again because it was void.",
        "L3",
    ),
    "E314": Page(
        "more deals than allowed",
        "The conduct in the head says after how many deals a match is abandoned, void ones included. Here one more is "
        "dealt.",
        "L3",
    ),
    "E320": Page(
        "card twice",
        "A pack has every card once, and this one has turned up in the same round already: in another hand, or "
        "earlier in this one.",
        "L3",
        "R-DECK-01",
    ),
    "E321": Page(
        "wrong number of cards",
        "A hand has four cards, in a finale eleven or eight; an exchange brings four, a chance draw one.",
        "L3",
        "R-DEAL-01",
    ),
    "E322": Page(
        "hand missing",
        "Every seat in the game is dealt a hand, and the hands are listed in seat order. Here one is missing, or "
        "stands out of order.",
        "L3",
        "R-DEAL-01",
    ),
    "E323": Page(
        "cards for another reason",
        "Hands at the beginning of a round carry the reason `deal`, those of a finale the reason `finale`.",
        "L3",
        "R-DEAL-01",
    ),
    "E324": Page(
        "new cards missing",
        "An exchange is followed at once by the four cards that the same seat draws from the stock, and a chance draw "
        "by its one card.",
        "L3",
        "R-WAS-04",
    ),
    "E325": Page(
        "not the card that went back",
        "A caught bluffer's new cards went back under the stock, in the order in which he had drawn them. They are "
        "drawn again here, and another card stands in the log.",
        "L3",
        "R-WAS-08",
    ),
    "E326": Page("cards that nobody is due", "A seat receives cards here though nothing gives it any.", "L3"),
    "E328": Page(
        "wrong cards laid away",
        "After a chance draw the one card that was not of three alike is laid away, also when the draw hit. In a "
        "finale the cards laid away are listed in the order of card indexes. The log names other cards, or names them "
        "in another order.",
        "L3",
        "R-KANS-04",
    ),
    "E330": Page(
        "illegal act",
        "The rules do not allow this act here; the finding names the rule. A referee refuses such an act and never "
        "writes it as effective.",
        "L3",
    ),
    "E331": Page(
        "wrong stake",
        "Each toep raises the stake by exactly one, a blind toep to the stake that the rules set for it, and players "
        "in armoede open it at two.",
        "L3",
        "R-SCORE-02",
    ),
    "E332": Page(
        "wrong fold price",
        "A player who folds pays the last stake that he accepted; before the first toep that is 1.",
        "L3",
        "R-SCORE-03",
    ),
    "E333": Page(
        "wrong verdict on an exchange",
        "An exchange is genuine when the hand laid down was four pictures or, where the rules say so, three and a "
        "seven. The log says otherwise.",
        "L3",
        "R-WAS-02",
    ),
    "E334": Page(
        "wrong cards turned up",
        "A challenge turns up the very hand that was laid down in the latest exchange, in the order of card indexes.",
        "L3",
        "R-WAS-06",
    ),
    "E335": Page(
        "wrong card taken back",
        "A revoke that is owned up to before another card falls costs nothing, and its card comes back. The log names "
        "another card, or none (perhaps a price instead).",
        "L3",
        "R-VERZ-02",
    ),
    "E336": Page(
        "wrong price of a revoke",
        "Owned up to after exactly one more card, a revoke costs the stake and one more; later it costs three.",
        "L3",
        "R-VERZ-03",
    ),
    "E337": Page(
        "sealed acts out of order",
        "Answers that all give at once, and the cards that are laid away in a finale, are written down in seat order, "
        "so that the order in which they came tells nothing.",
        "L3",
    ),
    "E340": Page(
        "wrong trick winner",
        "The highest card of the suit that was led wins the trick. Rules about folded cards, and about tricks that "
        "nobody could follow, decide where the finding names them.",
        "L3",
        "R-TRICK-01",
    ),
    "E341": Page(
        "wrong next leader",
        "The winner of a trick leads to the next one; if he has folded, the next player on his left who is still in. "
        "After the last trick of a round nobody leads.",
        "L3",
        "R-TRICK-02",
    ),
    "E342": Page(
        "wrong score",
        "The winner of the last trick pays nothing, everybody else still in pays the stake, and whoever folded has "
        "paid already. `points` is what the round changed, penalties included.",
        "L3",
        "R-SCORE-01",
    ),
    "E343": Page(
        "wrong total",
        "The totals are those before the round plus its points, never beyond the limit unless the rules record that.",
        "L3",
        "R-SCORE-06",
    ),
    "E344": Page("wrong seat penalised", "The penalty falls on another seat.", "L3"),
    "E345": Page(
        "wrong seats going along",
        "Players who already play for their last points go along with a further toep by themselves; here the log "
        "names other seats than the rules.",
        "L3",
        "R-DOOD-03",
    ),
    "E346": Page(
        "wrong seat out",
        "Whoever has reached the limit leaves the game, in seat order, each in a line of its own.",
        "L3",
        "R-END-01",
    ),
    "E347": Page("wrong reason for a penalty", "The penalty follows from another rule than the log names.", "L3"),
    "E348": Page("wrong penalty", "A penalty is one point, before any clamp at the limit.", "L3"),
    "E349": Page(
        "wrong reason for leaving", "The seat leaves the game for another reason than the log names.", "L3", "R-END-01"
    ),
    "E350": Page(
        "trick missing",
        "Everybody still in has played, so the trick is closed here, and the log must say who won it.",
        "L3",
        "R-TRICK-01",
    ),
    "E351": Page("score missing", "The round is decided here, and the log must say what it cost.", "L3", "R-SCORE-01"),
    "E352": Page("penalty missing", "The act before it costs a penalty, which must stand directly after it.", "L3"),
    "E353": Page("going along missing", "Seats that go along by themselves must be named here.", "L3", "R-DOOD-03"),
    "E354": Page("out missing", "A seat leaves the game here, and the log must say so.", "L3", "R-END-01"),
    "E355": Page(
        "opening missing",
        "Players in armoede open the stake before anybody answers them, or leads when nobody has to answer.",
        "L3",
        "R-ARM-03",
    ),
    "E356": Page(
        "show missing",
        "Four alike are shown as soon as hands are picked up, or when a chance draw hits, and end the round.",
        "L3",
        "R-KANS-01",
    ),
    "E357": Page(
        "void missing",
        "The line before proves a revoke, or owns up to one too late: the round is void, and the log must say so.",
        "L3",
        "R-VERZ-04",
    ),
    "E358": Page(
        "discard missing",
        "After a chance draw the one card that was not of three alike is laid away, also when the draw hit.",
        "L3",
        "R-KANS-04",
    ),
    "E360": Page(
        "trick not closed",
        "The log closes a trick here, but somebody still in has not played to it, or none is running.",
        "L3",
        "R-TRICK-01",
    ),
    "E361": Page("round not decided", "The log scores the round here, but it is not decided.", "L3", "R-SCORE-01"),
    "E362": Page("penalty without cause", "Nothing costs a penalty here.", "L3"),
    "E363": Page("nobody goes along", "No seat goes along by itself here.", "L3", "R-DOOD-03"),
    "E364": Page("nobody is out", "No seat leaves the game here.", "L3", "R-END-01"),
    "E365": Page("nobody opens", "Nobody is in armoede here, or the rules do not have it.", "L3", "R-ARM-02"),
    "E366": Page("nothing to show", "Nobody has to show four alike here.", "L3", "R-KANS-01"),
    "E370": Page(
        "end before its time",
        "The match is not over by its rules, has not used up its deals, and its last round was not cancelled.",
        "L3",
    ),
    "E371": Page("wrong number of lines in the end", "`n` in the `end` is the number of lines before it.", "L3"),
    "E372": Page(
        "wrong places",
        "Places follow from the totals or, in a game to the last one standing, from who stayed longest; equal players "
        "share a place and the next one is skipped.",
        "L3",
        "R-END-03",
    ),
    "E373": Page(
        "wrong status",
        "A match is `complete` when it ended by its rules, `forfeited` when it did and a seat was forfeited at any "
        "time or someone gave up a match of independent rounds, `abandoned` when it did not come to its end.",
        "L3",
    ),
    "E374": Page("wrong final totals", "The `end` repeats the totals of the last score.", "L3", "R-SCORE-06"),
    "E375": Page(
        "refusal out of place",
        "Refused acts stand together just before the `score` of their round; here the round is still going on.",
        "L3",
    ),
    "E376": Page(
        "refusals out of order",
        "Refused acts are listed in the order of `at`, then of the seat, then as they came, so that the order of "
        "arrival at the referee tells nothing.",
        "L3",
    ),
    "E377": Page(
        "refusal of another round",
        "`at` is the number of effective acts of the match when the act was refused; nothing was asked in this round "
        "after so many. Answers and discards that are given by all at once are asked for before the first of them.",
        "L3",
    ),
    "E378": Page(
        "refused, yet legal",
        "The log says that this act was refused, but by the rules it was legal in the state that it was sent into. A "
        "player was wronged.",
        "L3",
    ),
    "E379": Page(
        "refused for the wrong reason",
        "The act was illegal, but another rule forbids it than the one that the log names.",
        "L3",
    ),
    "E380": Page(
        "more refusals than tries",
        "The conduct in the head says how many answers to one ask may be refused; a further one is not listened to.",
        "L3",
    ),
    "E381": Page(
        "refused unasked",
        "Only answers to a question that was open are written down as refused; at that moment this seat had none.",
        "L3",
    ),
    "E382": Page(
        "not what the referee plays",
        "In a player's place the referee has no choice: it folds as an answer, or stays where folding is not legal or "
        "answers are sealed; it plays the lowest card that follows suit, and in a finale lays the three lowest away, "
        "by rank, then clubs, diamonds, spades, hearts.",
        "L3",
    ),
    "E383": Page(
        "the referee acted without cause",
        "The referee acts in a player's place only when he was late, with a `late` line just before it, or when as "
        "many of his answers were refused as the conduct allows.",
        "L3",
    ),
    "E384": Page(
        "wrong time",
        "The conduct in the head, and the times of the acts before, say how long this seat had: `act_ms` (`ready_ms` "
        "for its first act) and what is left in its bank. The deadline in the log is another one, or it passed before "
        "that time was over, or the player's own act took longer than that and counted all the same.",
        "L3",
    ),
    "E385": Page(
        "acted after the last try",
        "As many answers as the conduct allows were refused; then the referee acts, or passes, in the player's place. "
        "Here the player himself acted in the same state.",
        "L3",
    ),
    "E386": Page(
        "forfeit missing",
        "The faults of this seat, or its faults of one kind, have reached a limit of the conduct in the head; the "
        "forfeit follows directly after the act that reaches this number or, when that act ends a round, directly "
        "after the next deal. The other acts of a step in which all act at once come first.",
        "L3",
    ),
    "E387": Page(
        "forfeit without cause",
        "A seat is forfeited for faults exactly when its faults, or those of one kind, reach a limit of the head's "
        "conduct. What the conduct excuses is no fault. It is forfeited because its bot left, unless the conduct says "
        "that such a seat is waited for.",
        "L3",
    ),
    "E388": Page("time without a clock", "Under clock `none` no record carries a time.", "L3"),
    "E389": Page("time missing", "Under clock `ms` every act of a player says how long he thought.", "L3"),
    "E390": Page("elapsed time without a clock", "Under clock `none` a passed deadline carries no `elapsed`.", "L3"),
    "E391": Page("late without a question", "Nothing was asked of this seat, so it cannot be late.", "L3"),
    "E392": Page(
        "void without cause",
        "The log declares the round void because of a revoke, but none was proven or owned up to too late by the line "
        "before, or these rules refuse revokes.",
        "L3",
        "R-VERZ-04",
    ),
    "E393": Page(
        "wrong seats open",
        "Everybody in the round who is one point before the limit opens, clockwise from the dealer's left. The log "
        "names other seats.",
        "L3",
        "R-ARM-02",
    ),
    "E394": Page(
        "wrong seat shows",
        "Whoever has four alike shows them; of several players the one with the highest rank comes first, and wins.",
        "L3",
        "R-KANS-02",
    ),
    "E395": Page(
        "wrong cards shown",
        "The four cards shown are the player's hand, in the order of card indexes.",
        "L3",
        "R-KANS-01",
    ),
    "E396": Page(
        "void for another reason",
        "The line before proves a revoke, or owns up to one too late, and the log says that the round is void for "
        "another reason.",
        "L3",
        "R-VERZ-04",
    ),
    "E397": Page(
        "hidden line that can be nothing",
        "In a view whose seed is known every hidden line is written anew. None of the private lines that may stand "
        "here, by the rules and the lines before it, has this hash: the log has a private line where there may be "
        "none, or cards were laid away that the player did not have.",
        "L3",
    ),
    "E398": Page(
        "round not void",
        "The log says that nobody could answer in time because of the referee or its host, and the conduct in the head "
        "that such a round is void. The `void` with the reason `crash` comes directly behind the `late`, and does not.",
        "L3",
    ),
}
