"""Level L2: the order of records."""

from typing import Final

from referee.validate.pages.page import Page

ORDER: Final[dict[str, Page]] = {
    "E201": Page(
        "no head",
        "The first line of a log is its `head`: without it nothing that follows can be judged. The beginning of this "
        "file is missing, or it is no log.",
        "L2",
    ),
    "E202": Page(
        "a second head",
        "A log has one `head`, in its first line. Here another one begins: perhaps two logs were joined.",
        "L2",
    ),
    "E203": Page(
        "no seal after the head",
        "The `head` is sealed at once, before any player contributes to the shuffle, so that nothing in it can be "
        "chosen afterwards. Here something else follows it.",
        "L2",
    ),
    "E204": Page(
        "out of place before the first round",
        "Between the first seal and the first round stand at most one `entropy` and then at most one `draw`, besides "
        "rulings; then a `round` or, if nothing was played, the `end`.",
        "L2",
    ),
    "E205": Page(
        "neither round nor end",
        "After the seal of a round comes the next `round` or the `end`, besides rulings. Nothing happens at a table "
        "between two rounds.",
        "L2",
    ),
    "E206": Page(
        "no cards after the round",
        "A `round` is followed by an optional `cut` and then by the hands that were dealt, one `cards` line for every "
        "seat in the game.",
        "L2",
    ),
    "E207": Page(
        "cannot stand in a round",
        "From the deal to the `score` stand acts, what follows from them, and decisions of the referee. A round that "
        "has begun ends with a `score`, also when it is void.",
        "L2",
    ),
    "E208": Page(
        "refusals not before the score",
        "All refused acts of a round stand together, and the `score` follows directly after them, so that their place "
        "tells nobody when they happened.",
        "L2",
    ),
    "E209": Page(
        "no seal after the score",
        "After a `score` come the seats that leave the game, one `out` each, and then the seal of the round. Nothing "
        "may stand in between.",
        "L2",
    ),
    "E210": Page(
        "seal out of place",
        "A seal stands after the `head`, after each round, after the `end` and after the `reveal`, and nowhere else.",
        "L2",
    ),
    "E211": Page("no seal after the end", "The `end` is sealed at once; here something else follows it.", "L2"),
    "E212": Page(
        "no reveal after the sealed end",
        "After the seal of the `end` only the `reveal` of the seed may follow.",
        "L2",
    ),
    "E213": Page(
        "no seal after the reveal",
        "The `reveal` is sealed by the very last line of a log; here something else follows it.",
        "L2",
    ),
    "E214": Page(
        "lines after the last seal",
        "The seal after the `reveal` is the last line of a log. What follows here was added later or belongs to "
        "another file.",
        "L2",
    ),
    "E215": Page(
        "cut out of place",
        "A pack is cut once, between the `round` and the first hand.",
        "L2",
        "R-CUT-01",
    ),
}
