"""The plots of a report, as SVG that takes its colours from the page. Everything that bots name is escaped."""

from collections.abc import Sequence
from html import escape
from typing import Final

from referee.tournament.report.collect import Curve
from referee.tournament.statistics.standings import BotStanding, Standings

WIDTH: Final = 760
ROW: Final = 26
LEFT: Final = 150
RIGHT: Final = 110
SHOWN: Final = 16
"""Letters of a name at most, in a plot."""

LINES: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#8c564b")
"""The colours of Okabe and Ito (2008), which people who confuse red and green can tell apart; then two more."""


def name_of(bot: str) -> str:
    """A name as a plot has it: short, and harmless."""
    return escape(bot if len(bot) <= SHOWN else bot[: SHOWN - 1] + "…")


def intervals(rows: Sequence[BotStanding]) -> str:
    """Points per round of every bot, with its interval and, hollow, the luck-adjusted estimate."""
    known = [row for row in rows if row.points_per_round is not None]
    if not known:
        return ""
    edges = [edge for row in known if (one := row.points_per_round) for edge in (one.estimate, one.low, one.high)]
    low, high, ticks = scale([edge for edge in edges if edge is not None])
    height = ROW * len(known) + 40
    parts = [_open(height, "Points per round with intervals")]
    for tick in ticks:
        x = _x(tick, low, high)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="8" y2="{height - 28}"/>')
        parts.append(f'<text class="tick" text-anchor="middle" x="{x:.1f}" y="{height - 12}">{tick:g}</text>')
    for number, row in enumerate(known):
        y, one = 8 + ROW * number + ROW / 2, row.points_per_round
        assert one is not None
        parts.append(f'<text text-anchor="end" x="{LEFT - 10}" y="{y + 4:.1f}">{name_of(row.bot)}</text>')
        if one.low is not None and one.high is not None:
            left, right = _x(one.low, low, high), _x(one.high, low, high)
            parts.append(f'<line class="bar" x1="{left:.1f}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
        if row.adjusted is not None and low <= row.adjusted.estimate <= high:
            x = _x(row.adjusted.estimate, low, high)
            parts.append(f'<circle class="hollow" cx="{x:.1f}" cy="{y:.1f}" r="6.5"/>')
        parts.append(f'<circle class="dot" cx="{_x(one.estimate, low, high):.1f}" cy="{y:.1f}" r="4"/>')
        parts.append(f'<text class="value" x="{WIDTH - RIGHT + 14}" y="{y + 4:.1f}">{one.estimate:.3f}</text>')
    return "".join(parts) + "</svg>"


def curves(found: Sequence[Curve]) -> str:
    """Points per round by all blocks so far, one line a bot, named at its end."""
    if not found or max(len(curve.points) for curve in found) < 2:
        return ""
    blocks = max(block for curve in found for block, _ in curve.points)
    # The first blocks say little and would take the whole plot.
    settled = [value for curve in found for block, value in curve.points if block * 5 >= blocks]
    low, high, ticks = scale(settled)
    height = 340
    parts = [_open(height, "Points per round over the event")]

    def y_of(value: float) -> float:
        return height - 34 - (min(max(value, low), high) - low) / (high - low) * (height - 48)

    def x_of(block: int) -> float:
        return 50 + (block - 1) / max(1, blocks - 1) * (WIDTH - 50 - RIGHT - 30)

    for tick in ticks:
        y = y_of(tick)
        parts.append(f'<line class="grid" x1="50" x2="{WIDTH - RIGHT - 30}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="tick" text-anchor="end" x="44" y="{y + 4:.1f}">{tick:g}</text>')
    ends: list[tuple[float, str, str]] = []
    for number, curve in enumerate(found):
        colour = LINES[number % len(LINES)]
        line = " ".join(f"{x_of(block):.1f},{y_of(value):.1f}" for block, value in curve.points)
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{line}"/>')
        ends.append((y_of(curve.points[-1][1]), colour, curve.bot))
    placed = -100.0
    for y, colour, bot in sorted(ends):
        placed = max(y, placed + 14)
        x = WIDTH - RIGHT - 22
        parts.append(f'<text x="{x}" y="{placed + 4:.1f}"><tspan fill="{colour}">■</tspan> {name_of(bot)}</text>')
    parts.append(f'<text class="tick" x="50" y="{height - 10}">block 1</text>')
    parts.append(
        f'<text class="tick" text-anchor="end" x="{WIDTH - RIGHT - 30}" y="{height - 10}">block {blocks}</text>'
    )
    return "".join(parts) + "</svg>"


def heat(table: Standings) -> str:
    """Who took how much more per round than whom, as a table: blue is fewer, orange more, bold where it is sure."""
    names = [row.bot for row in table.bots]
    most = max((abs(one.estimate) for row in table.pairwise for one in row if one), default=0.0) or 1.0
    head = "".join(f'<th scope="col" title="{escape(name)}">{number}</th>' for number, name in enumerate(names, 1))
    lines = [f'<tr><th></th><th scope="col">bot</th>{head}</tr>']
    for number, row in enumerate(table.pairwise):
        tds = []
        for one in row:
            if one is None:
                tds.append("<td></td>")
                continue
            share = round(100 * min(1.0, abs(one.estimate) / most) * 0.7)
            colour = LINES[0] if one.estimate < 0 else LINES[1]
            sure = one.low is not None and one.high is not None and (one.high < 0 or one.low > 0)
            span = f"{one.low:.3f} to {one.high:.3f}" if one.low is not None and one.high is not None else "no interval"
            style = f"background:color-mix(in srgb,{colour} {share}%,transparent)"
            value = f"<b>{one.estimate:+.2f}</b>" if sure else f"{one.estimate:+.2f}"
            tds.append(f'<td style="{style}" title="{span}, {one.n} blocks">{value}</td>')
        name = f'<th scope="row" title="{escape(names[number])}">{name_of(names[number])}</th>'
        lines.append(f'<tr><td class="rank">{number + 1}</td>{name}{"".join(tds)}</tr>')
    return f'<table class="heat">{"".join(lines)}</table>'


def scale(values: Sequence[float]) -> tuple[float, float, list[float]]:
    """(lowest, highest, ticks) of an axis that shows these values, at steps of 1, 2 or 5 times a power of ten."""
    low, high = min(values), max(values)
    span = max(high - low, 1e-6)
    step = 10.0**-6
    factors = (2.0, 2.5, 2.0)
    number = 0
    while span / step > 8:
        step *= factors[number % 3]
        number += 1
    first, last = int(low // step), int(-(-high // step))
    last += first == last
    return first * step, last * step, [round(step * tick, 9) for tick in range(first, last + 1)]


def _x(value: float, low: float, high: float) -> float:
    return LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT)


def _open(height: int, title: str) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
