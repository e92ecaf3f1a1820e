"""Bots for the toep referee. A bot is a class with one method::

from toep_client import Act, Bot, View, run

class Mine(Bot):
    def act(self, view: View) -> Act:
        return view.legal[0]

run(Mine())
"""

from toep_client.acts import (
    Act,
    Blind,
    Challenge,
    Chance,
    Confess,
    Cut,
    Discard,
    Exchange,
    Fold,
    Malformed,
    Pass,
    Peek,
    Play,
    Resign,
    Signal,
    Stay,
    Toep,
)
from toep_client.bot import Bot
from toep_client.connection import play
from toep_client.entry import run
from toep_client.errors import BotError, Trouble
from toep_client.news import Event, Over, Refusal
from toep_client.settings import Settings
from toep_client.view import Match, View

__all__ = [
    "Act",
    "Blind",
    "Bot",
    "BotError",
    "Challenge",
    "Chance",
    "Confess",
    "Cut",
    "Discard",
    "Event",
    "Exchange",
    "Fold",
    "Malformed",
    "Match",
    "Over",
    "Pass",
    "Peek",
    "Play",
    "Refusal",
    "Resign",
    "Settings",
    "Signal",
    "Stay",
    "Toep",
    "Trouble",
    "View",
    "play",
    "run",
]
