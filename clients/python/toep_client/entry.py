"""The entry point of a bot process."""

import asyncio
import os
import sys
import traceback
from collections.abc import Mapping
from typing import NoReturn

from toep_client.bot import Bot
from toep_client.connection import play
from toep_client.errors import BOT_FAILED, BotError, Trouble
from toep_client.settings import Settings

INTERRUPTED = 130


def run(bot: Bot) -> NoReturn:
    """Plays as the environment says (see `Settings`), then ends the process.

    Exit codes: 0 the work is done; 1 the connection was lost; 2 there was no connection, or a variable is wrong; 70 the
    bot's own code raised an exception; 130 interrupted from the keyboard.
    """
    sys.exit(main(bot, os.environ))


def main(bot: Bot, environ: Mapping[str, str]) -> int:
    """The same as `run`, but returns the exit code."""
    try:
        settings = Settings.from_environ(environ)
        asyncio.run(play(bot, settings))
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return trouble.code
    except BotError as error:
        report(error)
        return BOT_FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def report(error: BotError) -> None:
    """Shows the author of a bot where its code failed."""
    traceback.print_exception(error.__cause__ or error)
    print(f"the bot failed: {error}", file=sys.stderr)
