"""Make docs/codes.md from the code: the page of every finding, as `toep explain` has it.

python tools/codepages.py            write it
python tools/codepages.py --check    only say whether it is in sync (exit code 1 when not)
"""

import sys
import textwrap
from pathlib import Path
from typing import Final

from referee.validate.codes import PAGES

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "codes.md"
WIDTH: Final = 120

HEAD: Final = """# Finding codes

Every code that `toep verify` can print; `toep explain CODE` prints the same. Made by `tools/codepages.py`. Codes are
stable: a code means the same for ever. [log-format.md](log-format.md#the-first-finding) says which one a line gets.

"""
FAMILIES: Final = {
    "E0": "Bytes (level L0)",
    "E1": "Schema (level L1)",
    "E2": "Order of records (level L2)",
    "E3": "Rules and conduct (level L3)",
    "E4": "Shuffle (level L4)",
    "E5": "Tree, seals and signatures (level L5)",
    "E7": "Disputes: what a log was held against",
    "W0": "Warnings",
}


def render() -> str:
    """The page, in Markdown."""
    out = [HEAD]
    family = ""
    for code, page in sorted(PAGES.items()):
        if code[:2] != family:
            family = code[:2]
            out.append(f"## {FAMILIES[family]}\n\n")
        rule = f" [{page.rule}]" if page.rule else ""
        text = f"**{code}** {page.title}{rule}. {page.explanation}"
        out.append(textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False) + "\n\n")
    return "".join(out).rstrip("\n") + "\n"


def main(arguments: list[str]) -> int:
    """Write the page, or compare it; returns the exit code."""
    text = render()
    if "--check" in arguments:
        same = PAGE.exists() and PAGE.read_text("utf-8") == text
        print("docs/codes.md is in sync" if same else "docs/codes.md is not in sync: run tools/codepages.py")
        return 0 if same else 1
    PAGE.write_text(text, "utf-8")
    print(f"wrote docs/codes.md: {len(PAGES)} codes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
