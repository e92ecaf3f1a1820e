"""The referee's own log: one structured line for each thing that happens, on standard error. Not the replay log."""

import logging
import sys

import structlog


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
