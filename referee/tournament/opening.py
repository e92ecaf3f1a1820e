"""Before an event is played: its journal is begun, or read to see that nothing is other than it was.

A new event gets its seed, its spec as it is now, and a first line that says what is played. An old one goes on only
with the same spec, schedule and seed, and with bots that are made of the same files.
"""

import secrets
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Final

from msgspec import UNSET

from referee.deal import SEED_SIZE, commit
from referee.service import isolation
from referee.service.rpc import version_text
from referee.tournament import botfiles, rulings, trust
from referee.tournament.book import Book
from referee.tournament.errors import DirectorError
from referee.tournament.folder import Folder
from referee.tournament.journal import BotFiles, Event, Journal, JournalError, Ruling, has_lines
from referee.tournament.ledger import Ledger
from referee.tournament.moment import now_text
from referee.tournament.runner import check_bots, command_of
from referee.tournament.schedule import digest
from referee.tournament.spec import Spec
from referee.tournament.spec_types import Bot


class Opening:
    """Opens an event's journal; the folder is this process's own. ``open`` once; then the rest is known."""

    def __init__(self, spec: Spec, spec_bytes: bytes, where: Path, folder: Folder, ledger: Ledger) -> None:
        """``where``: the folder that paths of the spec are seen from; ``ledger``: of the event's schedule, empty; it is
        brought up to date."""
        self.book: Book
        self.seed = b""
        self.mode: isolation.Mode = "none"
        self._spec: Final = spec
        self._bytes: Final = spec_bytes
        self._where: Final = where
        self._folder: Final = folder
        self._ledger: Final = ledger

    def open(self, seed: bytes | None) -> None:
        """Begin the journal, or read it. ``seed``: the secret seed of a new event, None: from the operating system.
        Raises `TournamentError`, `JournalError`, `OSError`; also then, `close` is to be called."""
        # A journal without a whole line is what is left of a director that has not begun.
        if has_lines(self._folder.journal) or any(self._folder.logs.iterdir()):
            self._reopen()
        else:
            self._begin(seed)

    def close(self) -> None:
        """Write no more."""
        if book := getattr(self, "book", None):
            book.close()

    def _begin(self, seed: bytes | None) -> None:
        spec, folder = self._spec, self._folder
        self.mode = isolation.choose(spec.isolation)
        trust.check(spec, self._ledger.schedule, self.mode)
        check_bots(spec, self.mode, self._where)
        if spec.seed:
            self.seed = bytes.fromhex(spec.seed)
        else:
            self.seed = seed or secrets.token_bytes(SEED_SIZE)
            folder.keep_seed(self.seed)
        folder.keep(folder.spec, self._bytes, 0o644)
        folder.journal.unlink(missing_ok=True)
        self.book = Book(Journal.create(folder.journal), self._ledger)
        self.book.write(
            Event(
                at=now_text(),
                bots=tuple(self._files_of(bot) for bot in spec.bots),
                commit=commit(self.seed),
                engine=version_text(),
                isolation=self.mode,
                name=spec.name,
                open_seed=spec.seed or UNSET,
                schedule=digest(self._ledger.schedule),
                spec=sha256(self._bytes).hexdigest(),
            )
        )
        folder.sync()

    def _reopen(self) -> None:
        folder, ledger = self._folder, self._ledger
        journal, entries = Journal.reopen(folder.journal)
        self.book = Book(journal, ledger)
        ledger.follow(folder.journal, entries)
        event = ledger.event
        if event is None:
            raise JournalError(folder.journal, 0, "it has no line that says what the event is")
        self._check_spec(event)
        if event.schedule != digest(ledger.schedule):
            raise DirectorError(f"{folder.path}: this version makes another schedule of the spec: go on with"
                                f" {event.engine}")  # fmt: skip
        # What was left for a director that is gone; it may be about a bot that could not go on.
        rulings.settle(folder, ledger, self.book.write, running=False)
        self.mode = isolation.choose(event.isolation)
        if self._is_to_be_played():
            check_bots(self._spec, self.mode, self._where, ledger.withdrawn)
        if self._spec.seed:
            self.seed = bytes.fromhex(self._spec.seed)
        else:
            self.seed = bytes.fromhex(ledger.seed) if ledger.seed else folder.read_seed()
        if commit(self.seed) != event.commit:
            raise DirectorError(f"{folder.seed}: this is not the seed that the event was begun with")
        if self._is_to_be_played():
            self._check_files()
        if ledger.done is None:
            self._check_logs()

    def _check_spec(self, event: Event) -> None:
        """Raise `DirectorError` unless the spec is that of the event, to the last letter."""
        folder = self._folder
        if folder.spec_digest() != event.spec:
            raise DirectorError(f"{folder.spec}: this is another spec than the event was begun with: put that back")
        if sha256(self._bytes).hexdigest() != event.spec:
            raise DirectorError(
                f"{folder.path}: this event was begun with another spec, which is {folder.spec} (the first line that is"
                f" not the same is line {first_difference(folder.spec.read_bytes(), self._bytes)}): put that back and"
                " use --concurrency or `toep tournament rule` for what is to change, or give the new event a folder of"
                " its own (-o DIR)"
            )

    def _check_logs(self) -> None:
        """Raise `DirectorError` when a log that results rest on is gone. What is in it is for `toep verify` to see."""
        for match, result in self._ledger.results.items():
            if result.status != "absent" and not self._folder.log(match).exists():
                raise DirectorError(
                    f"{self._folder.log(match)}: it is gone, and the result of {match} rests on it: put it back"
                )

    def _is_to_be_played(self) -> bool:
        """Whether there are blocks that are not decided."""
        return self._ledger.done is None and self._ledger.frontier < self._ledger.last

    def _files_of(self, bot: Bot) -> BotFiles:
        argv = () if bot.remote else command_of(bot, self._where).argv
        return botfiles.files_of(bot, argv, self._where / bot.folder, botfiles.search_path())

    def _check_files(self) -> None:
        """Raise `DirectorError` when a bot is not what it was."""
        ledger = self._ledger
        for bot in self._spec.bots:
            if bot.remote or bot.name in ledger.withdrawn:
                continue
            now = self._files_of(bot)
            what = botfiles.changed(ledger.files[bot.name], now, command_of(bot, self._where).argv)
            if what and bot.name in ledger.accepting:
                why = "its files were changed, as the organiser allows"
                line = Ruling(at=now_text(), bot=bot.name, by="director", files=now.files, kind="accept", why=why)
                self.book.write(line)
            elif what:
                raise DirectorError(
                    f"bot {bot.name}: {what} was changed since the event began: put it back, or allow it with"
                    f" `toep tournament rule {self._folder.path} accept {bot.name} --why TEXT`"
                )


def first_difference(one: bytes, other: bytes) -> int:
    """The first line, from 1, in which two texts that are not the same differ."""
    pairs = zip_longest(one.splitlines(keepends=True), other.splitlines(keepends=True))
    return next(number for number, (left, right) in enumerate(pairs, 1) if left != right)
