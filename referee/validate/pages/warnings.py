"""Warnings: what is missing, and what a log cannot show."""

from typing import Final

from referee.validate.pages.page import Page

WARNINGS: Final[dict[str, Page]] = {
    "W001": Page(
        "torn last line",
        "The last line has no LF: it was cut off while it was written or copied. It is not looked at, and the log is "
        "not complete.",
        None,
    ),
    "W002": Page(
        "unsealed lines",
        "No seal stands over the last lines of the log; nothing tells whether they were changed.",
        None,
    ),
    "W003": Page("no end", "The log stops before the `end` of the match.", None),
    "W004": Page(
        "not revealed",
        "The match is over, but the seed has not been revealed yet, so nobody can check the cards. For a match of a "
        "set that is still being played this is as it should be.",
        None,
    ),
    "W005": Page(
        "hidden lines",
        "Private lines are hidden: this is the view of one seat, or of the public. The seals can be checked, order "
        "and rules cannot from the first hidden line on.",
        None,
    ),
    "W010": Page(
        "the operator chose the seed",
        "No player added to the shuffle. The commitment shows that the seed was fixed before the match, not that "
        "nobody knew or picked it.",
        None,
    ),
    "W011": Page(
        "declared seed",
        "The seed stands in the head: whoever could read the log during the match knew all cards.",
        None,
    ),
    "W012": Page(
        "no isolation",
        "The bots ran with the same rights as the referee and could have read its files, the seed included.",
        None,
    ),
    "W013": Page(
        "unsigned log",
        "No seal carries a signature. The roots show that the file is consistent, not who wrote it: anybody can "
        "write another one that is consistent too.",
        None,
    ),
    "W014": Page(
        "key not pinned",
        "Every seal is signed by the key that the head names. Only the log itself says whose key that is: give the "
        "referee's key, as you know it from elsewhere, with --key.",
        None,
    ),
}
