"""The plots of a report: SVG between columns of names and values. Everything that bots name is escaped.

The drawings have as many pixels as there is room: places across are per cent, so that letters are as large on a narrow
screen as on a wide one. Every plot has a table beside it with the same numbers.
"""

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from referee.tournament.report.collect import KINDS, Curve, FaultCount, Times
from referee.tournament.report.style import LIGHT, colour
from referee.tournament.statistics.standings import BotStanding, Order, Standings

ROW: Final = 26
"""Pixels of a bot's row; the page's style has the same."""

AXIS: Final = 26
"""Pixels below the rows, for the scale."""

HIGH: Final = 340
"""Pixels of the curves at least."""

LETTERS: Final = 15
"""Pixels between two names at the ends of curves."""

LEVEL: Final = 1e-6
"""Values that differ by less are the same in a plot."""

Tick = tuple[float, str]
"""Per cent across, and what stands there."""


def intervals(rows: Sequence[BotStanding], order: Order = "points") -> str:
    """What an event is ordered by, of every bot, with its interval. Of points per round also, hollow, the luck-adjusted
    estimate."""
    measured = [(row, row.place if order == "places" else row.points_per_round) for row in rows]
    known = [(row, one) for row, one in measured if one is not None]
    if not known:
        return ""
    edges = [edge for _, one in known for edge in (one.estimate, one.low, one.high)]
    low, high, steps = scale([edge for edge in edges if edge is not None])

    def x_of(value: float) -> float:
        return 100 * (value - low) / (high - low)

    marks = []
    for number, (row, one) in enumerate(known):
        y = ROW * number + ROW // 2
        if one.low is not None and one.high is not None:
            marks.append(_line("bar", x_of(one.low), x_of(one.high), y))
        if order == "points" and row.adjusted is not None and low <= row.adjusted.estimate <= high:
            marks.append(_circle("hollow", x_of(row.adjusted.estimate), y, 6.5))
        marks.append(_circle("dot", x_of(one.estimate), y, 4))
    return _rows(
        f"{'Mean place' if order == 'places' else 'Points per round'} with intervals",
        [row.bot for row, _ in known],
        marks,
        [f"{one.estimate:.3f}" for _, one in known],
        [(x_of(step), f"{step:g}") for step in steps],
    )


def faults(found: Sequence[FaultCount]) -> str:
    """How often the referee had to act for each bot, by kind, as bars of one length for all."""
    known = [one for one in found if one.total]
    if not known:
        return ""
    _, most, steps = scale([0.0, float(max(one.total for one in known))])
    marks = []
    for number, one in enumerate(known):
        left = 0.0
        for kind, count in enumerate(one.by_kind):
            width = 100 * count / most
            if count:
                marks.append(
                    f'<rect x="{left:.2f}%" y="{ROW * number + 6}" width="{width:.2f}%" height="{ROW - 12}" '
                    f'style="fill:{colour(kind)}"/>'
                )
            left += width
    ticks = [(100 * step / most, f"{step:,.0f}") for step in steps if step == int(step)]
    return _rows(
        "Faults by bot and kind", [one.bot for one in known], marks, [f"{one.total:,}" for one in known], ticks
    )


def kinds() -> str:
    """What the colours of `faults` mean."""
    return "".join(
        f'<span class="key"><i style="background:{colour(number)}"></i>{kind}</span>'
        for number, kind in enumerate(KINDS)
    )


def clocks(found: Sequence[Times]) -> str:
    """How long each bot took: a dot in the middle, a bar to where nine of ten end, a ring at the longest. Logarithmic,
    since a second and a minute both matter."""
    if not found:
        return ""
    decades = max(1, math.ceil(math.log10(max(1, *(one.longest for one in found)))))

    def x_of(milliseconds: int) -> float:
        return 100 * math.log10(max(1, milliseconds)) / decades

    marks = []
    for number, one in enumerate(found):
        y = ROW * number + ROW // 2
        marks.append(_line("bar", x_of(one.median), x_of(one.nine_of_ten), y))
        marks.append(_circle("hollow", x_of(one.longest), y, 5))
        marks.append(_circle("dot", x_of(one.median), y, 4))
    ticks = [(100 * decade / decades, span(10**decade)) for decade in range(decades + 1)]
    return _rows("Time for an act", [one.bot for one in found], marks, [span(one.longest) for one in found], ticks)


def span(milliseconds: int) -> str:
    """``20 ms``, ``1.5 s``, ``100 s``."""
    return f"{milliseconds} ms" if milliseconds < 1000 else f"{float(f'{milliseconds / 1000:.3g}'):,g} s"


def curves(found: Sequence[Curve]) -> str:
    """Points per round by all blocks so far, one line a bot, named at its end. A bot's line ends with its last block;
    from there it is dotted."""
    if not found or max(len(curve.points) for curve in found) < 2:
        return ""
    blocks = max(block for curve in found for block, _ in curve.points)
    # The first blocks say little and would take the whole plot.
    settled = [
        value for curve in found for block, value in curve.points if block * 5 >= blocks or len(curve.points) < 3
    ]
    low, high, steps = scale(settled)
    height = max(HIGH, LETTERS * len(found) + 20)

    def y_of(value: float) -> float:
        return height - 8 - (min(max(value, low), high) - low) / (high - low) * (height - 16)

    def x_of(block: int) -> float:
        return 1000 * (block - 1) / max(1, blocks - 1)

    ticks = [
        f'<text class="tick" text-anchor="end" x="100%" y="{y_of(step) + 4:.1f}">{step:g}</text>' for step in steps
    ]
    grid = [f'<line class="grid" x1="0" x2="100%" y1="{y_of(step):.1f}" y2="{y_of(step):.1f}"/>' for step in steps]
    lines, ends = [], []
    for number, curve in enumerate(found):
        # As many colours as there are, then the same in dashes.
        dashes = ("", ";stroke-dasharray:7 4", ";stroke-dasharray:2 3")[number // len(LIGHT) % 3]
        path = " ".join(f"{x_of(block):.1f},{y_of(value):.1f}" for block, value in curve.points)
        lines.append(f'<polyline style="stroke:{colour(number)};stroke-width:2{dashes}" points="{path}"/>')
        block, value = curve.points[-1]
        y = y_of(value)
        if block < blocks:
            lines.append(
                f'<line class="on" style="stroke:{colour(number)}" x1="{x_of(block):.1f}" x2="1000" y1="{y:.1f}" '
                f'y2="{y:.1f}"/>'
            )
        ends.append((y, number, curve.bot, dashes))
    ends.sort()
    names = [
        f'<g><title>{escape(bot)}</title><line x1="0" x2="14" y1="{y:.1f}" y2="{y:.1f}" '
        f'style="stroke:{colour(number)};stroke-width:3{dashes}"/><text x="20" y="{y + 4:.1f}">{escape(bot)}</text></g>'
        for y, (_, number, bot, dashes) in zip(_apart([end[0] for end in ends], height), ends, strict=True)
    ]
    return (
        '<div class="plot" role="img" aria-label="Points per round over the event">'
        f'<svg class="scale" height="{height}">{"".join(ticks)}</svg>'
        f'<svg height="{height + AXIS}">{"".join(grid)}<svg width="100%" height="{height}" '
        f'viewBox="0 0 1000 {height}" preserveAspectRatio="none">{"".join(lines)}</svg>'
        f'<text class="tick" x="0" y="{height + 18}">block 1</text><text class="tick" text-anchor="end" x="100%" '
        f'y="{height + 18}">block {blocks}</text></svg>'
        f'<svg class="ends" height="{height}">{"".join(names)}</svg></div>'
    )


def _apart(heights: Sequence[float], bottom: float) -> list[float]:
    """These heights, which rise, moved as little as need be for no name to lie on another, and none outside."""
    placed: list[float] = []
    for y in heights:
        placed.append(max(y, placed[-1] + LETTERS) if placed else max(y, 8.0))
    limit = bottom - 8.0
    for number in reversed(range(len(placed))):
        placed[number] = min(placed[number], limit)
        limit = placed[number] - LETTERS
    return placed


def heat(table: Standings) -> str:
    """Who took how much more per round than whom, as a table: blue is fewer, orange more, bold where it is sure."""
    names = [row.bot for row in table.bots]
    most = max((abs(one.estimate) for row in table.pairwise for one in row if one), default=0.0) or 1.0
    head = "".join(f'<th scope="col" title="{escape(name)}">{number}</th>' for number, name in enumerate(names, 1))
    lines = [f'<tr><td></td><th scope="col" class="text">bot</th>{head}</tr>']
    for number, row in enumerate(table.pairwise):
        tds = []
        for one in row:
            if one is None:
                tds.append("<td></td>")
                continue
            share = round(100 * min(1.0, abs(one.estimate) / most) * 0.6)
            fill = colour(0 if one.estimate < 0 else 1)
            sure = one.low is not None and one.high is not None and (one.high < 0 or one.low > 0)
            within = (
                f"{one.low:.3f} to {one.high:.3f}" if one.low is not None and one.high is not None else "no interval"
            )
            style = f"background:color-mix(in srgb,{fill} {share}%,transparent)"
            value = f"{one.estimate:+.2f}"
            value = "0.00" if value in ("+0.00", "-0.00") else f"<b>{value}</b>" if sure else value
            tds.append(f'<td style="{style}" title="{within}, {one.n} blocks">{value}</td>')
        name = f'<th scope="row" title="{escape(names[number])}"><span>{escape(names[number])}</span></th>'
        lines.append(f'<tr><td class="rank">{number + 1}</td>{name}{"".join(tds)}</tr>')
    return f'<table class="heat">{"".join(lines)}</table>'


def scale(values: Sequence[float]) -> tuple[float, float, list[float]]:
    """(lowest, highest, ticks) of an axis that shows these values, at steps of 1, 2 or 5 times a power of ten."""
    low, high = min(values), max(values)
    if high - low < LEVEL:
        low, high = low - 0.5, high + 0.5
    width = high - low
    step = 10.0**-6
    factors = (2.0, 2.5, 2.0)
    number = 0
    while width / step > 8:
        step *= factors[number % 3]
        number += 1
    first, last = int(low // step), int(-(-high // step))
    last += first == last
    return first * step, last * step, [round(step * tick, 9) for tick in range(first, last + 1)]


def _rows(title: str, names: Sequence[str], marks: Iterable[str], values: Sequence[str], ticks: Sequence[Tick]) -> str:
    """A row for each bot: its name, what is drawn, its value; and a scale below."""
    height = ROW * len(names)
    axis = []
    for number, (x, label) in enumerate(ticks):
        axis.append(f'<line class="grid" x1="{x:.2f}%" x2="{x:.2f}%" y1="0" y2="{height}"/>')
        odd = " odd" if number % 2 else ""
        axis.append(f'<text class="tick{odd}" text-anchor="middle" x="{x:.2f}%" y="{height + 18}">{label}</text>')
    left = "".join(f'<span title="{escape(name)}">{escape(name)}</span>' for name in names)
    right = "".join(f"<span>{value}</span>" for value in values)
    return (
        f'<div class="plot" role="img" aria-label="{escape(title)}"><div class="names">{left}</div>'
        f'<svg height="{height + AXIS}">{"".join(axis)}{"".join(marks)}</svg><div class="values">{right}</div></div>'
    )


def _line(kind: str, left: float, right: float, y: float) -> str:
    return f'<line class="{kind}" x1="{left:.2f}%" x2="{right:.2f}%" y1="{y}" y2="{y}"/>'


def _circle(kind: str, x: float, y: float, radius: float) -> str:
    return f'<circle class="{kind}" cx="{x:.2f}%" cy="{y}" r="{radius:g}"/>'
