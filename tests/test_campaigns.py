"""A hundredth of `make matches`: every preset and random rule sets, every log verified."""

import pytest

from tests.campaigns.matches import Job, batches, preset_jobs, random_jobs, random_rules, run


@pytest.mark.parametrize("part", range(10))
def test_random_rule_sets(part: int) -> None:
    for job in random_jobs(10, start=1_000_000 + 10 * part):
        outcome = run(job)
        assert outcome.wrong == "", (outcome.wrong, job)


def test_every_preset_and_table_size() -> None:
    jobs = list(preset_jobs(2))
    assert len({job.group for job in jobs}) == 18
    wrong = [(outcome.wrong, job) for job in jobs if (outcome := run(job)).wrong]
    assert wrong == []


def test_batches_hold_every_job_once_and_one_group_each() -> None:
    jobs = [*preset_jobs(3), *random_jobs(120)]
    split = list(batches(iter(jobs)))
    assert [job for batch in split for job in batch] == jobs
    assert all(len({job.group for job in batch}) == 1 and len(batch) <= 50 for batch in split)


def test_a_failure_is_told_and_not_raised() -> None:
    job = next(random_jobs(1))
    impossible = Job(job.group, job.rules, 9, 1, "game")
    assert "Error" in run(impossible).wrong


def test_random_rules_are_reproducible() -> None:
    import random

    assert random_rules(random.Random(3)) == random_rules(random.Random(3))
