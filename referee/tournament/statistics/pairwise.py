"""Who is better than whom, over the blocks in which both sit.

Both met the same cards in such a block, so much of the luck of the deal is in both and goes away in the difference.
"""

from collections.abc import Sequence

from referee.tournament.statistics.blocks import Summary
from referee.tournament.statistics.intervals import Interval, Measure, interval, linearise, per_round, ratios

Matrix = list[list[Interval | None]]
"""By bot, then by bot: the former's less the latter's; None on the diagonal and where two never met."""


def difference(
    blocks: Sequence[Summary], bot: str, other: str, confidence: float, measure: Measure = per_round
) -> Interval | None:
    """What ``bot`` took per round less what ``other`` took (negative: ``bot`` is better), over the blocks with both.

    What a block adds to the error is the difference of what it adds to the two ratios. They need not sit in the same
    matches of a block: in a fixed field they take turns in one seat. None when there is no such block.
    """
    both = [block for block in blocks if bot in block.bots and other in block.bots]
    one, two = (linearise(ratios(both, name, measure)) for name in (bot, other))
    if one is None or two is None:
        return None
    residuals = [first - second for first, second in zip(one[1], two[1], strict=True)]
    return interval(one[0] - two[0], [block.stratum for block in both], residuals, confidence)


def matrix(blocks: Sequence[Summary], names: Sequence[str], confidence: float, measure: Measure = per_round) -> Matrix:
    """All differences; the half below the diagonal mirrors the other."""
    found: Matrix = [[None] * len(names) for _ in names]
    for row, bot in enumerate(names):
        for column in range(row + 1, len(names)):
            cell = difference(blocks, bot, names[column], confidence, measure)
            found[row][column] = cell
            found[column][row] = cell and mirrored(cell)
    return found


def mirrored(cell: Interval) -> Interval:
    """The difference the other way round."""
    low = None if cell.high is None else -cell.high
    high = None if cell.low is None else -cell.low
    return Interval(estimate=-cell.estimate, low=low, high=high, se=cell.se, n=cell.n, df=cell.df)
