"""Where a log and something else that tells of the match part: a bot's transcript, a view, another engine."""

from typing import Final

from referee.validate.pages.page import Page

TESTIMONY: Final[dict[str, Page]] = {
    "E701": Page(
        "another match",
        "The transcript is of another match, of other players, or of a seat that this match does not have.",
        None,
    ),
    "E702": Page(
        "something else was announced",
        "The next public line of the log is not what the bot was told. The transcript leaves out what is not announced "
        "(times, verdicts); what it has must be the same.",
        None,
    ),
    "E703": Page(
        "another hand",
        "When it was asked, the bot was shown other cards than it holds by the log at that point.",
        None,
    ),
    "E704": Page(
        "an act that was not sent",
        "By the log the bot acted itself, and its transcript has no such answer that was still standing. Acts of the "
        "referee in its place (`by`) are not looked for.",
        None,
    ),
    "E705": Page(
        "a refusal that was not told",
        "The log has a refused act of this bot, with a reason that the bot was not told in that round.",
        None,
    ),
    "E706": Page(
        "a refusal that is not logged",
        "The bot was told that an act was refused, and the log has no such line at the end of that round. In a round "
        "in which somebody left that is as it should be, and not reported.",
        None,
    ),
    "E707": Page(
        "another end",
        "Status, places or totals of the end are not those that the bot was told.",
        None,
    ),
    "E711": Page(
        "not a view of this log",
        "A line of the view is neither the line of the log nor its leaf. The roots differ from here on too: if both "
        "are signed, `toep diff --fork` may prove that there are two histories.",
        None,
    ),
    "E712": Page(
        "the view goes on",
        "The view has lines beyond the end of the log: the log was cut off.",
        None,
    ),
    "E721": Page(
        "another engine disagrees",
        "The engine that was asked to replay the log comes to another verdict, line or code. One of the two is wrong; "
        "the sentence of the rule decides.",
        None,
    ),
}
