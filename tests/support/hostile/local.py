"""Bots that `toep play` starts."""

import asyncio
import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

from referee.service.users import closed_to_others
from tests.support.hostile.bots import (
    FOLDER,
    OPPONENTS,
    PATIENCE,
    Hostile,
    Problem,
    Verdict,
)
from tests.support.hostile.judge import verdict_on
from tests.support.isolated import open_folder, python_for
from tests.support.wire import SEED


async def played(bot: Hostile, folder: Path, environ: Mapping[str, str], isolation: str = "none") -> Verdict:
    """`toep play` with this bot between two polite ones."""
    if isolation == "uid" and closed_to_others(str(folder)):
        with open_folder() as passable:
            return await played(bot, passable, environ, isolation)
    setting = bot.match
    python, needed = python_for(isolation)
    if not python:
        raise Problem("no interpreter that another user may use")
    environ = {**environ, **needed}
    file = bot.name if isolation == "none" else f"{bot.name}-{isolation}"
    commands = [
        f"{name}={shlex.join((python, str(FOLDER), module))}"
        for name, module in ((OPPONENTS[0], "polite"), ("hostile", bot.name), (OPPONENTS[1], "polite"))
    ]
    words = ["--rules", setting.rules, "--rounds", str(setting.rounds), "--clock", "none", "-o", f"{file}.toep"]
    words += ["--isolation", isolation]
    words += ["--act-ms", str(setting.act_ms), "--window-ms", str(setting.window_ms), "--faults", str(setting.faults)]
    for name, value in setting.options.items():
        words += ["--set", f"{name}={str(value).lower()}"]
    for command in commands:
        words += ["--bot", command]
    if not setting.secret:
        words += ["--seed", SEED.hex()]
    files = [folder / f"{file}.{name}" for name in ("out", "err")]
    with files[0].open("wb") as stdout, files[1].open("wb") as stderr:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "referee", "play", *words),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            env=dict(environ),
            cwd=folder,
            start_new_session=True,
        )
    try:
        async with asyncio.timeout(PATIENCE):
            code = await process.wait()
    except TimeoutError:
        raise Problem(f"toep play did not end in {PATIENCE:.0f} s") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    lines = (line[:300] for file in files for line in file.read_text(errors="replace").splitlines())
    told = list(dict.fromkeys(lines))
    if code == 2 and f"{file}.toep" not in os.listdir(folder):
        return Verdict("waiting", "no match", told=told)
    if code != 0:
        raise Problem(f"toep play ended with code {code}: {told[-5:]}")
    return verdict_on(folder / f"{file}.toep", told)
