"""The page of one code."""

from typing import NamedTuple

from referee.validate.findings import Level


class Page(NamedTuple):
    """What a code says."""

    title: str
    explanation: str
    """One paragraph for the person who has to find out what happened."""

    level: Level | None
    """None: a warning, about the log as a whole, or about something that the log was held against."""

    rule: str = ""
    """The rule that is broken unless the finding names another one."""
