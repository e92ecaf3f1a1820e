"""SIGKILL of a referee in mid-match: the log it leaves can be read, is incomplete, and says so."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from referee.validate import validate_path

HANGING = """
import sys, threading
from toep_client import Act, Bot, View, run

class Hanging(Bot):
    asks = 0
    def act(self, view: View) -> Act:
        self.asks += 1
        if self.asks == 12:
            print("hanging", flush=True)
            threading.Event().wait()
        return view.legal[0]

run(Hanging())
"""


@contextmanager
def process(*words: str, cwd: Path, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """A process of its own; killed and reaped at the end."""
    started = subprocess.Popen(
        [sys.executable, *words],
        cwd=cwd,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield started
    finally:
        started.kill()
        started.wait()
        assert started.stdout is not None
        started.stdout.close()


def line_of(started: subprocess.Popen[str]) -> str:
    assert started.stdout is not None
    return started.stdout.readline().strip()


def test_a_killed_referee_leaves_a_log_that_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "hanging.py").write_text(HANGING)
    with ExitStack() as stack:
        serve = ("-m", "referee", "serve", "--address", "127.0.0.1:0", "--logs", "logs", "--match", "a,b,c")
        referee = stack.enter_context(process(*serve, "--act-ms", "600000", cwd=tmp_path))
        address = line_of(referee).removeprefix("listening on ")
        for name, words in (("a", ("-m", "toep_client", "random")), ("b", ("-m", "toep_client", "caller"))):
            stack.enter_context(process(*words, cwd=tmp_path, TOEP_ADDRESS=address, TOEP_BOT=name))
        hanging = stack.enter_context(process("hanging.py", cwd=tmp_path, TOEP_ADDRESS=address, TOEP_BOT="c"))
        assert line_of(hanging) == "hanging"
        referee.send_signal(signal.SIGKILL)
        assert referee.wait() == -signal.SIGKILL
    (log,) = (tmp_path / "logs").glob("*.toep")
    assert log.stat().st_mode & 0o777 == 0o600
    assert log.with_name(log.name + ".seed").stat().st_mode & 0o777 == 0o600
    report = validate_path(log)
    assert report.exit == 4
    assert report.errors == []
    assert report.acts > 3
    shown = subprocess.run(
        [sys.executable, "-m", "referee", "show", str(log)], capture_output=True, text=True, check=False
    )
    assert "incomplete" in shown.stdout
