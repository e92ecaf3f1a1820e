"""What a referee counts, as Prometheus reads it: text over HTTP, on an address of its own that only this machine has.

Nothing is done for it while matches are played, except that plain numbers are added to (`referee.service.counts`). The
collector reads them when it is asked, in the thread of the request: so the endpoint answers also while the loop does
not, and then `toep_loop_silence_seconds` says for how long. Reading one number or copying one container is atomic.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector, start_http_server
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
    SummaryMetricFamily,
)
from prometheus_client.registry import Collector

from referee.game.records import ACTS
from referee.service import edge
from referee.service.hall import Hall

FINEST: Final = 1
COARSEST: Final = 20
"""Bins that are shown one by one: from 1 to about a million milliseconds, each up to twice the one before."""

ACT_NAMES: Final = {kind: str(kind.__struct_config__.tag) for kind in ACTS}


class HallCollector(Collector):
    """The numbers of one hall, read when they are asked for."""

    def __init__(
        self, hall: Hall, expires: Callable[[], float] = float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``expires``: tells when the certificate is no longer good, in seconds since 1970; 0: there is none.
        ``clock``: the one that `Counts.woken` is of."""
        self._hall = hall
        self._expires = expires
        self._clock = clock
        self._decisions = 0

    def collect(self) -> Iterable[Metric]:
        yield from self._play()
        yield from self._matches()
        yield from self._streams()
        yield from self._loop()
        yield from self._disk()
        if expires := self._expires():
            yield GaugeMetricFamily(
                "toep_tls_certificate_expiry_seconds", "When the certificate expires, as Unix time.", expires
            )

    def _play(self) -> Iterator[Metric]:
        counts = self._hall.counts
        refusals = {code.name: number for code, number in counts.refusals.copy().items()}
        yield CounterMetricFamily("toep_asks", "Asks that were sent.", counts.asks)
        yield CounterMetricFamily("toep_answers", "Answers that came, right or wrong.", counts.answers)
        # The loop may be between counting an answer and its refusal: a counter must not go back after that.
        self._decisions = max(self._decisions, counts.answers - sum(refusals.values()))
        yield CounterMetricFamily("toep_decisions", "Answers that were accepted: acts and passes.", self._decisions)
        yield _counter("toep_refusals", "Answers that were refused.", "code", refusals)
        kinds = counts.records.copy()
        acts = {name: kinds.get(kind, 0) for kind, name in ACT_NAMES.items()}
        yield _counter("toep_acts", "Public acts that took effect.", "act", acts)
        yield _counter("toep_late", "Required acts that were late, by whose fault it was.", "verdict", counts.late)
        yield _counter("toep_forfeits", "Seats that were forfeited.", "why", counts.forfeits)
        yield _histogram(
            "toep_ask_latency_seconds", "From sending an ask to its answer.", counts.latency, counts.latency_ms
        )

    def _matches(self) -> Iterator[Metric]:
        statuses = self._hall.ended.copy()
        statuses.update(seating.status for seating in self._hall.open())
        family = GaugeMetricFamily("toep_matches", "Matches in memory, by status.", labels=("status",))
        for status in edge.STATUS:
            family.add_metric((status,), statuses[status])
        yield family
        yield CounterMetricFamily("toep_matches_created", "Matches that were set up.", self._hall.counts.created)
        yield GaugeMetricFamily("toep_draining", "1 while no new matches are taken.", int(bool(self._hall.draining)))

    def _streams(self) -> Iterator[Metric]:
        counts = self._hall.counts
        sessions = list(self._hall.sessions.values())
        waiting = [session.waiting() for session in sessions]
        yield GaugeMetricFamily("toep_sessions", "Bots that are connected.", len(sessions))
        yield CounterMetricFamily("toep_streams", "Bots that were let in.", counts.streams)
        yield _counter("toep_rejected", "Calls that ended with an error.", "code", counts.rejected.copy())
        yield CounterMetricFamily("toep_internal_errors", "Faults of the referee's own.", counts.faults)
        in_flight = sum(len(session.in_flight) for session in sessions)
        yield GaugeMetricFamily("toep_asks_in_flight", "Asks that wait for their answer.", in_flight)
        depth = sum(asks for _, asks in waiting)
        yield GaugeMetricFamily("toep_queued_asks", "Asks that wait for a free slot of their bot.", depth)
        sizes = [size for size, _ in waiting]
        yield GaugeMetricFamily("toep_queued_bytes", "Bytes that wait for bots to read.", sum(sizes))
        yield GaugeMetricFamily("toep_queued_bytes_max", "The most of them for one bot.", max(sizes, default=0))

    def _loop(self) -> Iterator[Metric]:
        counts = self._hall.counts
        yield _histogram("toep_loop_stall_seconds", "How late the loop woke.", counts.stall, counts.stall_ms)
        worst = counts.worst_stall_ms / 1000
        yield GaugeMetricFamily("toep_loop_stall_max_seconds", "The latest it ever woke.", worst)
        silence = self._clock() - counts.woken if counts.woken else 0.0
        yield GaugeMetricFamily("toep_loop_silence_seconds", "Since the loop last woke.", silence)

    def _disk(self) -> Iterator[Metric]:
        disk = self._hall.store.syncer
        yield CounterMetricFamily("toep_log_lines", "Lines that were written to logs.", disk.lines)
        yield CounterMetricFamily("toep_log_bytes", "Bytes that were written to logs.", disk.bytes)
        yield SummaryMetricFamily(
            "toep_log_sync_seconds", "Waiting for the disk.", count_value=disk.syncs, sum_value=disk.sync_seconds
        )
        yield GaugeMetricFamily("toep_log_sync_max_seconds", "The longest of these.", disk.worst_sync_seconds)


def _counter(name: str, text: str, label: str, values: dict[str, int]) -> Metric:
    family = CounterMetricFamily(name, text, labels=(label,))
    for value, number in values.items():
        family.add_metric((value,), number)
    return family


def _histogram(name: str, text: str, bins: Sequence[int], total_ms: float) -> Metric:
    """Bin ``n`` has what is below ``2 ** n`` milliseconds; its bound is said in seconds."""
    numbers = list(bins)
    buckets = [(str((1 << n) / 1000), float(sum(numbers[: n + 1]))) for n in range(FINEST - 1, COARSEST + 1)]
    buckets.append(("+Inf", float(sum(numbers))))
    return HistogramMetricFamily(name, text, buckets=buckets, sum_value=total_ms / 1000)


class Endpoint:
    """The listening endpoint."""

    def __init__(self, server: WSGIServer, host: str) -> None:
        self._server = server
        self.address: Final = f"{host}:{server.server_port}"

    @classmethod
    def open(cls, host: str, port: int, collector: Collector) -> "Endpoint":
        """Listen; port 0 takes a free one. Raises `OSError`."""
        registry = CollectorRegistry()
        registry.register(collector)
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        GCCollector(registry=registry)
        server, _ = start_http_server(port, host, registry)
        return cls(server, f"[{host}]" if ":" in host else host)

    def close(self) -> None:
        """Stop listening; returns when the thread is gone."""
        self._server.shutdown()
        self._server.server_close()
