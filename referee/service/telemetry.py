"""The referee's own log: one structured line for each thing that happens, on standard error. Not the replay log."""

import logging
import sys
from typing import TYPE_CHECKING

import structlog

from referee.service.options import MAX_REFUSED_LINES

if TYPE_CHECKING:
    from referee.service.seating import Seating
    from referee.service.session import Session
    from referee.table.messages import Refused

log = structlog.get_logger()


def configure(*, verbose: bool, as_json: bool = False) -> None:
    """Set up structlog: warnings only, or everything with ``verbose``."""
    # A traceback with the values of variables, which structlog prints when it finds the library, would show seeds.
    plain = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback)
    renderer: structlog.typing.Processor = structlog.processors.JSONRenderer() if as_json else plain
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO if verbose else logging.WARNING),
        # Whatever standard error is when a line is written: it may be another than now.
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )


def log_refused(seating: "Seating", refused: "Refused", session: "Session | None", took: int | None) -> None:
    """An act was refused; of one bot, so many lines are written and no more."""
    if session:
        session.refused += 1
        if session.refused > MAX_REFUSED_LINES:
            return
    log.info(
        "refused",
        match=seating.match,
        seat=refused.seat,
        bot=seating.bots[refused.seat],
        code=refused.code.name,
        rule=refused.rule,
        tries_left=refused.tries_left,
        took_ms=took,
    )
    if session and session.refused == MAX_REFUSED_LINES:
        log.warning("no more of this bot's refusals are logged", bot=session.name, after=MAX_REFUSED_LINES)
