"""``toep``: finds the command and runs it. Each command is one file in this folder.

A command module has a docstring (its help: the first line is the summary), ``configure(parser)`` and
``run(args) -> exit code``. Modules are imported only when they are asked for, so that ``toep verify`` needs nothing
but the base install.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Final

from referee.cli.exits import USAGE, CommandError

COMMANDS: Final[dict[str, str]] = {
    "demo": "play a match between sample bots, show it and verify its log",
    "play": "play a local match between bots",
    "serve": "run the referee for bots that dial in",
    "tournament": "plan and run a tournament",
    "doctor": "measure this machine, and say which limits are safe on it",
    "keygen": "make the key that a referee signs its logs with",
    "bot": "run a sample bot",
    "bridge": "let a program that speaks JSON lines play",
    "verify": "check logs",
    "show": "show a match for people",
    "view": "make the view of a log for one seat or a spectator",
    "reveal": "put the seed into logs that were held back",
    "diff": "find the first difference of two logs, or prove a fork",
    "rules": "list, show and compare rule sets",
    "deal": "show the cards that a seed deals",
    "engine": "answer cases on standard input (for engine authors)",
    "conform": "test an engine, a validator or a bot of your own",
    "replay": "put the match of a log to a bot again",
    "explain": "explain a finding's code or a rule",
}
"""Every command, with its summary, in the order of the help."""

NEEDS: Final[dict[str, str]] = {
    "grpc": "service",
    "google": "service",
    "structlog": "service",
    "grpc_health": "service",
    "grpc_reflection": "service",
    "prometheus_client": "service",
    "toep_client": "client",
}
"""Which extra brings a module that may be missing from an install."""


def run(argv: Sequence[str] | None = None) -> int:
    """Run ``toep`` with these arguments (default: the process's own); returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(
        prog="toep",
        description="A referee for Toepen bots: matches over gRPC, logs that prove themselves, and their validator.",
        epilog="`toep COMMAND --help` shows a command's options and an example.",
    )
    parser.add_argument("--version", action="version", version=f"toep {_version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    chosen = next((word for word in arguments if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        if name == chosen:
            module = _load(name)
            if module is None:
                return USAGE
            child = commands.add_parser(
                name, help=summary, description=module.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
            )
            module.configure(child)
            child.set_defaults(run=module.run)
        else:
            commands.add_parser(name, help=summary, add_help=False)
    args = parser.parse_args(arguments)
    if args.command is None:
        parser.print_help()
        return 0
    try:
        code: int = args.run(args)
    except CommandError as error:
        print(f"toep {args.command}: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever reads our output has seen enough. Standard output must not be flushed once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return code


def _load(name: str):  # type: ignore[no-untyped-def]
    # Before gRPC is imported: else it writes lines of its own, one for each handshake that fails.
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    try:
        return importlib.import_module(f"referee.cli.{name}")
    except ModuleNotFoundError as error:
        missing = (error.name or "").split(".")[0]
        if missing not in NEEDS:
            raise
        package = "toep-client" if NEEDS[missing] == "client" else f"toep[{NEEDS[missing]}]"
        print(f"toep {name}: this command needs more than the base install: pip install '{package}'", file=sys.stderr)
        return None


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("toep")
    except PackageNotFoundError:
        return "unknown"


def main() -> None:
    """The console script's entry."""
    sys.exit(run())


if __name__ == "__main__":
    main()
