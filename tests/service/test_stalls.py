"""Whose doing lateness is: the referee measures itself."""

from referee.service.stalls import KEPT, Stalls


class World:
    """The time, and the processor time, as the test says."""

    def __init__(self, *beats: int) -> None:
        self.now = 0
        self.seconds = 0.0
        self.stalls = Stalls(10, lambda: self.now, lambda: self.seconds)
        self.beat(*beats)

    def beat(self, *moments: int, busy: float = 0.0) -> None:
        self.seconds += busy
        for self.now in moments:
            self.stalls.beat()

    def blame(self, since: int, until: int) -> str | None:
        self.now = max(self.now, until)
        return self.stalls.blame(since, until)


def test_a_loop_that_comes_round_is_not_to_blame() -> None:
    assert World(*range(0, 1000, 10)).blame(0, 1000) is None
    assert World().blame(0, 1000) is None


def test_a_loop_that_was_kept_from_working_blames_the_host() -> None:
    world = World(0, 10, 310, 320)
    assert world.blame(0, 330) == "host"
    assert world.blame(320, 330) is None


def test_a_loop_that_worked_all_the_time_blames_itself() -> None:
    world = World(0, 10)
    world.beat(310, busy=0.25)
    assert world.blame(0, 320) == "referee"


def test_the_larger_part_counts() -> None:
    world = World(0, 110)
    world.beat(420, busy=0.3)
    assert world.blame(0, 420) == "referee"
    assert world.blame(0, 150) == "host"


def test_a_tenth_of_the_time_has_to_be_lost() -> None:
    world = World(0, 110, *range(120, 1120, 10))
    assert world.blame(0, 1000) == "host"
    assert world.blame(0, 1001) is None


def test_a_stall_that_has_not_ended_counts() -> None:
    assert World(0, 10, 20).blame(20, 200) == "host"


def test_another_clock_has_no_stalls() -> None:
    world = World(0, 10, 310)
    assert world.stalls.blame(100_000, 200_000) is None


def test_only_so_many_are_kept() -> None:
    world = World(*range(0, 200 * (KEPT + 10), 200))
    assert world.blame(0, 500) is None
    assert world.blame(4000, 5000) == "host"


def test_a_busy_loop_is_no_excuse() -> None:
    assert World(*range(0, 2000, 100)).blame(0, 2000) is None
