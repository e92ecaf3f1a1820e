"""The report as one HTML page that needs nothing else: no scripts, no fonts, no other files."""

from collections.abc import Collection, Iterable, Sequence
from html import escape
from typing import Final

from msgspec import UNSET

from referee.tournament.observer import ruling_text
from referee.tournament.report import plots
from referee.tournament.report.collect import KINDS, Report
from referee.tournament.report.style import STYLE
from referee.tournament.statistics.intervals import Interval
from referee.tournament.statistics.standings import BotStanding, Order, Standings

LISTED: Final = 200
"""Matches with faults that the page lists at most; `report.json` has them all."""


def page(report: Report) -> str:
    """The whole page."""
    name = escape(report.event.spec.name)
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{name}</title><style>{STYLE}</style></head><body><header><h1>{name}</h1>{_lead(report)}</header>",
    ]
    if report.standings is None:
        parts.append("<p>No block counts yet, so there are no standings.</p>")
    else:
        parts += _standings(report, report.standings)
    parts += [*_faults(report), *_times(report), _rulings(report), _played(report), "</body></html>"]
    return "\n".join(filter(None, parts)) + "\n"


def _lead(report: Report) -> str:
    status = report.status
    if not report.journaled:
        state = (
            "<b>Made from the logs alone: there is no journal.</b> The spec says which blocks count; rulings, and bots "
            "that did not come, are not known. "
        )
    else:
        state = "" if status.state == "done" else f"<b>Not over: the event is {status.state}.</b> "
    return (
        f'<p class="soft">{state}{status.counted:,} of {status.decided:,} decided blocks count: '
        f"{len(report.counting):,} matches, {status.rounds:,} rounds. {status.dropped:,} dropped, {status.replaced:,} "
        "replaced. Points are penalties: low is good.</p>"
    )


def _standings(report: Report, table: Standings) -> Iterable[str]:
    percent = f"{100 * table.confidence:g} %"
    yield "<h2>Standings</h2>"
    yield _figure(
        plots.intervals(table.bots, table.order),
        f"Mean place in a match, with {percent} intervals from deal blocks."
        if table.order == "places"
        else f"Points per round, with {percent} intervals from deal blocks; the ring is the luck-adjusted estimate.",
    )
    points = ("points a round", percent, "luck-adjusted", percent)
    places = ("mean place", percent, *points) if table.order == "places" else (*points, "mean place")
    head = ("", "bot", *places, "rating", "blocks", "rounds")
    yield _table(head, [_row(row, table.order) for row in table.bots], bot=1)
    out = {bot: report.event.ledger.disqualified.get(bot, why) for bot, why in report.event.ledger.withdrawn.items()}
    for bot, why in out.items():
        yield f'<p class="soft">{escape(bot)} plays no more: {escape(why)}.</p>'
    if table.faulted_blocks:
        what = "faulted block" if table.faulted_blocks == 1 else f"{table.faulted_blocks:,} faulted blocks"
        yield f"<h2>Without the {what}</h2>"
        yield _table(head, [_row(row, table.order) for row in table.without_faulted], bot=1)
    if drawn := plots.curves(report.curves):
        yield "<h2>Over the event</h2>"
        yield _figure(drawn, "Points per round by all blocks so far that count; dotted behind a bot's last block.")
    yield "<h2>Head to head</h2>"
    yield f'<div class="wide">{plots.heat(table)}</div>'
    yield (
        '<p class="soft">What the bot of the row took per round more than that of the column, over the blocks in which '
        f"both sat. Bold where the {percent} interval leaves out 0; there are many cells, so some of them do by chance."
        "</p>"
    )
    if table.reduction.ratio is not None and table.reduction.effective_rounds is not None:
        yield (
            f"<p>Duplicates: the variance of the difference of two bots is {table.reduction.ratio:.2f} times what as "
            f"many rounds with deals of their own would give; {table.reduction.rounds:,} rounds say as much as "
            f"{table.reduction.effective_rounds:,.0f} such rounds.</p>"
        )
    if (stop := report.event.ledger.stop) is not None:
        yield f"<p>Sequential test: behind block {stop.block} {escape(stop.why)}.</p>"


def _row(row: BotStanding, order: Order) -> list[str]:
    # Who has played nothing has what everybody begins with.
    rating = f"{row.rating.mu:.1f} ± {row.rating.sigma:.1f}" if row.matches else ""
    points = [*_interval(row.points_per_round), *_interval(row.adjusted)]
    place = _interval(row.place)
    numbers = [*place, *points] if order == "places" else [*points, place[0]]
    return [str(row.rank), row.bot, *numbers, rating, f"{row.blocks:,}", f"{row.rounds:,}"]


def _interval(found: Interval | None) -> list[str]:
    if found is None:
        return ["", ""]
    span = "" if found.low is None or found.high is None else f"{found.low:.3f} to {found.high:.3f}"
    return [f"{found.estimate:.3f}", span]


def _faults(report: Report) -> Iterable[str]:
    yield "<h2>Faults</h2>"
    if not report.faults:
        yield "<p>None.</p>"
        return
    counts = sorted(report.fault_counts, key=lambda one: -one.total)
    yield _figure(
        plots.faults(counts), f"How often the referee had to act for a bot, or waited for it in vain. {plots.kinds()}"
    )
    rows = [
        [one.bot, *(f"{count:,}" for count in one.by_kind), f"{one.matches:,}", f"{one.counting:,}"]
        for one in counts
        if one.total
    ]
    yield _table(("bot", *KINDS, "matches with one", "of them count"), rows, bot=0)
    listed = [
        [one.bot, escape(one.what), f"<code>{escape(one.match)}</code>", "yes" if one.counts else "no"]
        for one in report.faults[:LISTED]
    ]
    first = f"The first {LISTED} of {len(report.faults):,}" if len(report.faults) > LISTED else "Each"
    yield f"<details><summary>{first}, match by match</summary>"
    yield _table(("bot", "what", "match", "its block counts"), listed, bot=0, text={1, 2})
    yield "</details>"


def _times(report: Report) -> Iterable[str]:
    yield "<h2>Clocks</h2>"
    if not report.times:
        why = "No times were kept." if report.event.spec.clock == "none" else "Nobody has been timed yet."
        yield f'<p class="soft">{why}</p>'
        return
    yield _figure(
        plots.clocks(report.times),
        "Time for an act, as the logs have it: half of them end at the dot, nine of ten at the end of the bar, the "
        "longest at the ring. The scale is logarithmic.",
    )
    rows = [
        [one.bot, f"{one.acts:,}", f"{one.median:,}", f"{one.nine_of_ten:,}", f"{one.longest:,}"]
        for one in report.times
    ]
    head = ("bot", "acts", "half within", "nine of ten within", "longest")
    yield _table(head, rows, bot=0, caption="Milliseconds for an act.")


def _rulings(report: Report) -> str:
    if not report.rulings:
        return ""
    items = "".join(f"<li>{escape(ruling_text(one).removeprefix('ruling: '))}</li>" for one in report.rulings)
    return f"<h2>Rulings</h2><ul>{items}</ul>"


def _played(report: Report) -> str:
    spec, ledger = report.event.spec, report.event.ledger
    length = spec.length if spec.length == "game" else f"{spec.length.rounds} rounds"
    facts = [
        ("length of a match", length),
        ("seats", str(spec.seats)),
        ("duplicates", spec.duplicates),
        ("trust", spec.trust),
        ("faulted blocks", spec.faulted),
        ("bots of this machine", f"isolation {ledger.event.isolation}" if ledger.event else ""),
        ("commitment", ledger.event.commit if ledger.event else ""),
        ("seed", ledger.seed or ("secret until the event is over" if report.journaled else "")),
        ("spec", ledger.event.spec if ledger.event else ""),
        ("schedule", ledger.event.schedule if ledger.event else ""),
        ("results", report.status.results_digest),
        ("standings", report.standings.digest if report.standings else ""),
    ]
    rules = {name: getattr(spec.rules, name) for name in spec.rules.__struct_fields__}
    shown = ", ".join(f"{name} {_said(value)}" for name, value in rules.items() if value is not UNSET)
    items = "".join(f"<dt>{name}</dt><dd><code>{escape(str(value))}</code></dd>" for name, value in facts if value)
    return (
        f"<h2>What was played</h2><dl>{items}<dt>rules</dt><dd>{escape(shown)}</dd></dl>"
        "<h2>How to check it</h2><p>Every number on this page follows from the logs. <code>toep verify DIR</code> "
        "replays each of them, works every result and the standings out again, and compares the digests above; "
        "<code>toep tournament report DIR</code> makes this page.</p>"
    )


def _said(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _figure(drawn: str, caption: str) -> str:
    return f"<figure>{drawn}<figcaption>{caption}</figcaption></figure>"


def _table(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, bot: int, text: Collection[int] = (), caption: str = ""
) -> str:
    """``bot``: the column with a bot's name as it is, which heads its row; everything else is HTML already. ``text``:
    the columns that are no numbers."""

    def title(number: int, value: str) -> str:
        left = " class=text" if number == bot or number in text else ""
        return f"<th scope=col{left}>{escape(value)}</th>"

    def cell(number: int, value: str) -> str:
        if number == bot:
            return f'<th scope="row" title="{escape(value)}"><span>{escape(value)}</span></th>'
        return f"<td{' class=text' if number in text else ''}>{value}</td>"

    lines = ["<tr>" + "".join(title(number, value) for number, value in enumerate(head)) + "</tr>"]
    lines += ["<tr>" + "".join(cell(number, value) for number, value in enumerate(row)) + "</tr>" for row in rows]
    about = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f'<div class="wide"><table>{about}{"".join(lines)}</table></div>'
