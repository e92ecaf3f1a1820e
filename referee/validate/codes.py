"""Every code that a finding can have: what it says, at which level it is found, and which rule it is about.

Codes are stable: a code means the same for ever, gaps are allowed, and a code that is no longer used is not used
again. `PAGES` is the whole table, the codes of single lines included; ``toep explain CODE`` prints from it.
"""

from typing import Final

from referee.log.codes import LINE_CODES
from referee.validate.pages.order import ORDER
from referee.validate.pages.page import Page
from referee.validate.pages.rules import RULES
from referee.validate.pages.seals import SEALS
from referee.validate.pages.shuffle import SHUFFLE
from referee.validate.pages.testimony import TESTIMONY
from referee.validate.pages.warnings import WARNINGS

__all__ = ["PAGES", "Page"]

PAGES: Final[dict[str, Page]] = {
    **{code: Page(entry.title, entry.explanation, "L0" if code < "E1" else "L1") for code, entry in LINE_CODES.items()},
    **ORDER,
    **RULES,
    **SHUFFLE,
    **SEALS,
    **TESTIMONY,
    **WARNINGS,
}
"""Every code, in the order of levels."""
