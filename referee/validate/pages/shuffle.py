"""Level L4: the shuffle, and the salts of private lines."""

from typing import Final

from referee.validate.pages.page import Page

SHUFFLE: Final[dict[str, Page]] = {
    "E401": Page(
        "the seed does not open the commitment",
        "`commit` in the head was made from another seed than the one revealed: the seed was changed after the match "
        "had begun, or one of the two values was damaged.",
        "L4",
    ),
    "E402": Page("not the declared seed", "The head declares a seed, and the reveal names another one.", "L4"),
    "E403": Page(
        "the declared seed does not open the commitment",
        "The head declares a seed and carries a commitment that was made from another one.",
        "L4",
    ),
    "E410": Page(
        "hand not from the seed",
        "These cards are not those that the seed deals to this seat in this round, by the deal pattern of the rules "
        "and after the cut. The hand in the log is not the one that was shuffled, or the cut is not the one that was "
        "made.",
        "L4",
        "R-DEAL-02",
    ),
    "E411": Page(
        "drawn cards not from the seed",
        "The cards drawn in an exchange are not those on top of the stock that the seed gives.",
        "L4",
        "R-WAS-04",
    ),
    "E412": Page(
        "salt not from the seed",
        "The salt of a private line follows from the seed, the round and the number of the line, so that it cannot "
        "carry messages. This one is another.",
        "L4",
    ),
    "E413": Page(
        "draw not from the seed",
        "The cards drawn for the first deal are not those on top of the pack that the seed gives for round 0.",
        "L4",
        "R-SEAT-01",
    ),
    "E414": Page(
        "chance card not from the seed",
        "The card of a chance draw is not the one on top of the stock that the seed gives.",
        "L4",
        "R-KANS-03",
    ),
    "E415": Page(
        "hidden cards not from the seed",
        "In a view whose seed is known every hidden line is written anew. Here cards must stand that follow from the "
        "seed, or a card laid away that follows from them, and the hash is that of another line: the match was played "
        "with other cards.",
        "L4",
        "R-DEAL-02",
    ),
}
