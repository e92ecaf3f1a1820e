"""Run a tournament: one file describes it, one command runs it, and goes on with what a crash left.

`init` writes a commented spec, `plan` says what will come of it, `tokens` makes tokens for bots that dial in, `run`
plays it, `status` says how it stands, `report` makes its page and tables, and `rule` changes its course.

example:
  toep tournament init spring.toml
  toep tournament plan spring.toml
"""

import argparse
import importlib
from typing import Final

SUBCOMMANDS: Final[dict[str, str]] = {
    "init": "write a commented spec",
    "plan": "say what an event will be: matches, who meets whom, hours, disk",
    "tokens": "make tokens for the bots that dial in",
    "run": "play an event, or go on with one",
    "status": "say how an event stands",
    "report": "make the page and the tables of an event",
    "rule": "make a ruling: pause, drop a bot, play a block again ...",
}
"""Each is a module of this folder, like a command: a docstring, ``configure(parser)`` and ``run(args) -> exit code``.
All of them are imported for any of them, so what the base install lacks is imported in ``run``."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The subcommands and their options."""
    kinds = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, summary in SUBCOMMANDS.items():
        # A module called "run" would take the place of the function below.
        module = importlib.import_module(f"referee.cli.tournament.{'play' if name == 'run' else name}")
        child = kinds.add_parser(
            name, help=summary, description=module.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        module.configure(child)
        child.set_defaults(run_action=module.run)


def run(args: argparse.Namespace) -> int:
    """Do what the subcommand says; raises `CommandError`."""
    code: int = args.run_action(args)
    return code
