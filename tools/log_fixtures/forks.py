"""Several histories of one match."""

from collections.abc import Iterator
from functools import cache

from referee.game.records import (
    Play,
)
from referee.log.note import Signer
from tests.support.forge import find, lines
from tools.log_fixtures.base import KEY, OTHER, Pair
from tools.log_fixtures.more_logs import signed_quiet
from tools.log_fixtures.play import Table, view


def forks() -> Iterator[tuple[str, bytes]]:
    """Files for `fork_pairs`."""
    for name, signer in (("signed", KEY), ("other-key", OTHER), ("unsigned", None)):
        for half in ("a", "b"):
            yield f"fork/{name}-{half}.toep", _history(signer, half)
    whole = _history(KEY, "b")
    yield "fork/signed-c.toep", _history(KEY, "c")
    yield "fork/signed-a-begun.toep", b"".join(_history(KEY, "a").splitlines(keepends=True)[:8])
    yield "fork/signed-a-view.toep", view(_history(KEY, "a"), None)
    yield "fork/signed-b-cut.toep", b"".join(whole.splitlines(keepends=True)[:8])
    yield "fork/another-match.toep", signed_quiet()


@cache
def _history(signer: Signer | None, half: str) -> bytes:
    """One of three histories of a match: in ``a`` a card is played, in ``b`` another one, in ``c`` two more."""
    table = Table(name="forked", signer=signer)
    table.deal()
    table.go(Play, number=half != "a")
    if half == "c":
        table.cards(2)
    return table.cancel()


def fork_pairs() -> Iterator[Pair]:
    """What `toep diff --fork` says of two files."""
    a, b, c = (f"fork/signed-{name}.toep" for name in "abc")
    differs = 6
    sealed_at = lines(_history(KEY, "a")), lines(_history(KEY, "b")), lines(_history(KEY, "c"))
    na, nb, nc = (records[find(records, "seal", 1)]["n"] for records in sealed_at)
    assert na == nb != nc
    for key in ("", KEY.vkey):
        yield Pair("Another card, equally many lines: two seals with the same n.", a, b, "FORK", differs, (na, nb), key)
        yield Pair("Another number of lines: each log has a seal over the first line that differs.", b, c, "FORK",
            differs + 1, (nb, nc), key)  # fmt: skip
    yield Pair("A view against the other history.", "fork/signed-a-view.toep", b, "FORK", differs, (na, nb))
    yield Pair("The same file twice.", a, a, "NO FORK")
    yield Pair("A log and its view.", a, "fork/signed-a-view.toep", "NO FORK")
    yield Pair("A log goes on where its beginning stops.", "fork/signed-a-begun.toep", a, "NO FORK")
    yield Pair(
        "One of them has no seal over the line that differs.", a, "fork/signed-b-cut.toep", "NOTHING PROVEN", differs
    )
    yield Pair("They are not signed.", "fork/unsigned-a.toep", "fork/unsigned-b.toep", "NOTHING PROVEN", differs)
    yield Pair("They are signed by different keys.", a, "fork/other-key-b.toep", "NOTHING PROVEN", 1)
    yield Pair("They are signed by another key than the one that is given.", "fork/other-key-a.toep",
        "fork/other-key-b.toep", "NOTHING PROVEN", key=KEY.vkey)  # fmt: skip
    yield Pair("Two matches.", a, "fork/another-match.toep", "DIFFERENT MATCHES")
