"""How the page of a report looks: on light and on dark screens, on paper, and 400 pixels wide."""

from typing import Final

LIGHT: Final = ("#0072b2", "#c65400", "#00805c", "#b34f8b", "#9a6b00", "#6b57c8", "#666666", "#8c564b")
"""Colours of lines and bars. After those of Okabe and Ito (2008), which people who confuse red and green can tell
apart, but all of them dark enough for white paper."""

DARK: Final = ("#4ba3e3", "#f08a4b", "#2fc299", "#e08fbd", "#e6a817", "#a99bf5", "#a9a9a9", "#cf9a8d")
"""The same for dark screens."""


def colour(number: int) -> str:
    """The colour of one of many, which begin again."""
    return f"var(--c{number % len(LIGHT)})"


def _variables(colours: tuple[str, ...]) -> str:
    return ";".join(f"--c{number}:{value}" for number, value in enumerate(colours))


STYLE: Final = f"""
:root{{color-scheme:light dark;--ink:#1b1f24;--soft:#5b6570;--line:#d8dde3;--paper:#fff;{_variables(LIGHT)}}}
@media (prefers-color-scheme:dark){{:root{{--ink:#e6e9ed;--soft:#9aa5b1;--line:#38424d;--paper:#14181c;
{_variables(DARK)}}}}}
body{{margin:0 auto;max-width:70rem;padding:1.5rem 1rem 4rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,sans-serif}}
h1{{font-size:1.7rem;margin:0;overflow-wrap:anywhere}}h2{{font-size:1.15rem;margin:2.4rem 0 .5rem}}p{{max-width:44rem}}
.soft,figcaption,caption{{color:var(--soft);font-size:.9rem}}caption{{text-align:left;padding-bottom:.3rem}}
.wide{{overflow-x:auto}}figure{{margin:0 0 1rem}}figcaption{{margin-top:.3rem;max-width:44rem}}
table{{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}}
th,td{{padding:.25rem .5rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}}
th.text,td.text{{text-align:left}}td.rank{{color:var(--soft)}}
th[scope=row]{{position:sticky;left:0;background:var(--paper);text-align:left;font-weight:inherit}}
th[scope=row] span{{display:block;max-width:clamp(6rem,20vw,10rem);overflow:hidden;text-overflow:ellipsis}}
table.heat{{font-size:.85rem}}table.heat td,table.heat th{{padding:.25rem .3rem}}table.heat td{{min-width:2.4rem}}
.plot{{display:grid;grid-template-columns:max-content minmax(0,1fr) max-content;gap:0 .9rem;margin-top:.4rem;
font-size:.85rem;font-variant-numeric:tabular-nums}}
.plot div span{{display:block;height:26px;line-height:26px;white-space:nowrap}}
.plot .names span{{max-width:clamp(5rem,22vw,14rem);overflow:hidden;text-overflow:ellipsis;text-align:right}}
.plot .values span{{color:var(--soft);text-align:right}}
.plot svg{{display:block;width:100%;overflow:visible}}.plot .scale{{width:2.2rem}}
.plot .ends{{width:clamp(6rem,22vw,12rem);overflow:hidden}}
svg text{{fill:var(--ink)}}svg .tick{{fill:var(--soft)}}svg .grid{{stroke:var(--line)}}
svg .bar{{stroke:var(--c0);stroke-width:3;stroke-linecap:round}}svg .dot{{fill:var(--c0)}}
svg .hollow{{fill:none;stroke:var(--soft);stroke-width:1.2}}svg .on{{stroke-width:1;stroke-dasharray:1 4;opacity:.7}}
svg polyline,svg .on{{fill:none;vector-effect:non-scaling-stroke}}
.key{{margin-right:1rem;white-space:nowrap}}.key i{{display:inline-block;width:.7em;height:.7em;margin-right:.4em}}
code{{font-size:.85em;overflow-wrap:anywhere}}
dl{{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.2rem 1rem}}
dt{{color:var(--soft)}}dd{{margin:0;overflow-wrap:anywhere}}
summary{{cursor:pointer;margin:.6rem 0}}
@media (max-width:34rem){{table.heat{{font-size:.72rem}}table.heat td,table.heat th{{padding:.2rem .12rem}}
table.heat td{{min-width:0}}table.heat th span{{max-width:4.2rem}}svg .odd{{display:none}}
.plot{{gap:0 .6rem}}dl{{display:block}}}}
@media print{{.wide{{overflow:visible}}}}
"""
