"""The report as one HTML page that needs nothing else: no scripts, no fonts, no other files."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from msgspec import UNSET

from referee.tournament.observer import ruling_text
from referee.tournament.report import plots
from referee.tournament.report.collect import Report
from referee.tournament.statistics.intervals import Interval
from referee.tournament.statistics.standings import BotStanding, Standings

STYLE: Final = """
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#5b6570;--line:#d8dde3;--paper:#fff;--mark:#0072b2}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ed;--soft:#9aa5b1;--line:#38424d;--paper:#14181c;--mark:#56b4e9}}
body{margin:0 auto;max-width:66rem;padding:1.5rem 1rem 4rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.7rem;margin:0}h2{font-size:1.15rem;margin:2.4rem 0 .5rem}p{max-width:44rem}
.soft,figcaption,caption{color:var(--soft);font-size:.9rem}caption{text-align:left}
.wide{overflow-x:auto}figure{margin:0}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th[scope=row],td.text,th.text{text-align:left}td.rank{color:var(--soft)}
td.text{white-space:normal}table.heat td{min-width:2.6rem;padding:.25rem .3rem}
svg{width:100%;min-width:34rem;height:auto;font:13px system-ui,sans-serif}svg text{fill:var(--ink)}
svg .tick,svg .value{fill:var(--soft);font-variant-numeric:tabular-nums}svg .grid{stroke:var(--line)}
svg .bar{stroke:var(--mark);stroke-width:3;stroke-linecap:round}svg .dot{fill:var(--mark)}
svg .hollow{fill:none;stroke:var(--soft);stroke-width:1.2}
code{font-size:.85em;overflow-wrap:anywhere}dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}
dt{color:var(--soft)}dd{margin:0;min-width:0}
"""


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
    parts += [_faults(report), _times(report), _rulings(report), _played(report), "</body></html>"]
    return "\n".join(filter(None, parts)) + "\n"


def _lead(report: Report) -> str:
    status = report.status
    state = "" if status.state == "done" else f"<b>Not over: the event is {status.state}.</b> "
    return (
        f'<p class="soft">{state}{status.counted} of {status.decided} decided blocks count: '
        f"{len(report.counting):,} matches, {status.rounds:,} rounds. {status.dropped} dropped, {status.replaced} "
        "replaced. Points are penalties: low is good.</p>"
    )


def _standings(report: Report, table: Standings) -> Iterable[str]:
    percent = f"{100 * table.confidence:g} %"
    yield "<h2>Standings</h2>"
    yield _figure(
        plots.intervals(table.bots),
        f"Points per round, with {percent} intervals from deal blocks; the ring is the luck-adjusted estimate.",
    )
    head = ("", "bot", "points a round", percent, "luck-adjusted", percent, "mean place", "rating", "blocks", "rounds")
    yield _table(head, [_row(row) for row in table.bots], text={1})
    if table.faulted_blocks:
        yield f"<h2>Without the {table.faulted_blocks} faulted blocks</h2>"
        yield _table(head, [_row(row) for row in table.without_faulted], text={1})
    if drawn := plots.curves(report.curves):
        yield "<h2>Over the event</h2>"
        yield _figure(drawn, "Points per round by all blocks so far that count.")
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


def _row(row: BotStanding) -> list[str]:
    rating = f"{row.rating.mu:.1f} ± {row.rating.sigma:.1f}"
    return [
        str(row.rank), escape(row.bot), *_interval(row.points_per_round), *_interval(row.adjusted),
        _interval(row.place)[0], rating, f"{row.blocks:,}", f"{row.rounds:,}",
    ]  # fmt: skip


def _interval(found: Interval | None) -> list[str]:
    if found is None:
        return ["", ""]
    span = "" if found.low is None or found.high is None else f"{found.low:.3f} to {found.high:.3f}"
    return [f"{found.estimate:.3f}", span]


def _faults(report: Report) -> str:
    if not report.faults:
        return "<h2>Faults</h2><p>None.</p>"
    rows = [
        [escape(one.bot), escape(one.what), f"<code>{escape(one.match)}</code>", "yes" if one.counts else "no"]
        for one in report.faults
    ]
    return "<h2>Faults</h2>" + _table(("bot", "what", "match", "its block counts"), rows, text={0, 1, 2})


def _times(report: Report) -> str:
    if not report.times:
        return '<h2>Clocks</h2><p class="soft">No times were kept.</p>'
    rows = [
        [escape(one.bot), f"{one.acts:,}", f"{one.median:,}", f"{one.nine_of_ten:,}", f"{one.longest:,}"]
        for one in report.times
    ]
    head = ("bot", "acts", "half within", "nine of ten within", "longest")
    return "<h2>Clocks</h2>" + _table(head, rows, text={0}, caption="Milliseconds for an act, as the logs have them.")


def _rulings(report: Report) -> str:
    if not report.rulings:
        return ""
    items = "".join(f"<li>{escape(ruling_text(one))}</li>" for one in report.rulings)
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
        ("seed", ledger.seed or "secret until the event is over"),
        ("spec", ledger.event.spec if ledger.event else ""),
        ("schedule", ledger.event.schedule if ledger.event else ""),
        ("results", report.status.results_digest),
        ("standings", report.standings.digest if report.standings else ""),
    ]
    rules = {name: getattr(spec.rules, name) for name in spec.rules.__struct_fields__}
    shown = ", ".join(f"{name} {value}" for name, value in rules.items() if value is not UNSET)
    items = "".join(f"<dt>{name}</dt><dd><code>{escape(str(value))}</code></dd>" for name, value in facts if value)
    return (
        f"<h2>What was played</h2><dl>{items}<dt>rules</dt><dd>{escape(shown)}</dd></dl>"
        "<h2>How to check it</h2><p>Every number on this page follows from the logs. <code>toep verify DIR</code> "
        "replays each of them, works every result and the standings out again, and compares the digests above; "
        "<code>toep tournament report DIR</code> makes this page.</p>"
    )


def _figure(drawn: str, caption: str) -> str:
    return f'<figure><div class="wide">{drawn}</div><figcaption>{escape(caption)}</figcaption></figure>'


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], *, text: set[int], caption: str = "") -> str:
    def cell(tag: str, number: int, value: str) -> str:
        return f"<{tag}{' class=text' if number in text else ''}>{value}</{tag}>"

    lines = ["<tr>" + "".join(cell("th", number, escape(value)) for number, value in enumerate(head)) + "</tr>"]
    lines += ["<tr>" + "".join(cell("td", number, value) for number, value in enumerate(row)) + "</tr>" for row in rows]
    about = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f'<div class="wide"><table>{about}{"".join(lines)}</table></div>'
