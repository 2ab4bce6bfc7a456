"""The cases in which limit, daemon and Redis are held against each other."""
import array, os
from dataclasses import dataclass, field, replace
from programs import Daemon, Failure, Reader, Redis, load, temporary_folder, wait_until

# What a million actions need besides the defaults: room for them, and for what arrives while they are first stored.
MANY = "[Ranking]\nMaxActions=2000000\n[Storage]\nIntakeLogSize=256M\n"


@dataclass(frozen=True)
class Case:
    name: str
    ids: int = 10_000
    apps: int = 100
    events: int = 2_000_000
    form: str = "plain"
    streams: int = 1
    size: int = 262_144  # bytes a write; 0: one event a write
    sync: int = 0  # until everything is durable
    settings: str = ""
    # How often the same events are sent, where once would be too short to measure.
    repeats: dict = field(default_factory=lambda: {"limit": 5, "daemon": 2})
    contestants: tuple = ("limit", "daemon", "redis")
    redis_of: str = ""  # the case whose Redis is this one's, too: Redis has one form only

    def scaled(self, factor):
        """The same with fewer events and ids; no case gets bigger ids than events."""
        ids = max(min(self.ids, 10), int(self.ids * min(1, 10 * factor)))
        return replace(self, ids=ids, apps=min(self.apps, ids), events=max(ids, int(self.events * factor)))

    def workload(self, seed):
        return {"ids": self.ids, "apps": self.apps, "events": self.events, "seed": seed}

    def transport(self, contestant):
        return {"form": self.form, "streams": self.streams, "size": self.size, "repeat": self.repeats.get(contestant, 1)}


ONCE = {}
CASES = [
    Case("plain, 10 ids", ids=10, apps=1),
    Case("plain, 10,000 ids"),
    Case("plain, 1,000,000 ids", ids=1_000_000, apps=10_000, settings=MANY, repeats={"limit": 5}),
    Case("plain, 1,000,000 ids, durable", ids=1_000_000, apps=10_000, settings=MANY, sync=1, repeats=ONCE,
         contestants=("daemon", "redis-aof"), redis_of="plain, 1,000,000 ids"),
    Case("JSON, 10,000 ids", form="json", contestants=("limit", "daemon"), redis_of="plain, 10,000 ids"),
    Case("JSON, 1,000,000 ids", ids=1_000_000, apps=10_000, settings=MANY, form="json", repeats={"limit": 5},
         contestants=("limit", "daemon"), redis_of="plain, 1,000,000 ids"),
    Case("plain, 10,000 ids, 4 streams", streams=4),
    Case("JSON, 10,000 ids, 4 streams", form="json", streams=4, contestants=("limit", "daemon"),
         redis_of="plain, 10,000 ids, 4 streams"),
    Case("one write an event, 10,000 ids", size=0, events=500_000, repeats=ONCE),
    Case("datagrams, 10,000 ids", form="datagrams", events=300_000, repeats=ONCE, contestants=("limit", "daemon")),
]


def expected_counts(case, seed, folder):
    path = os.path.join(folder, "expected")
    load("expect", case.workload(seed), output=path)
    counts = array.array("I")
    with open(path, "rb") as file:
        counts.frombytes(file.read())
    return counts


class Runner:
    """Runs a contestant of a case once, checks its counts, and says what it took."""

    def __init__(self, seed=1, short=0, folder=None):
        self.seed, self.short, self.folder = seed, short, folder
        self.expected = {}

    def run(self, case, contestant):
        with temporary_folder(self.folder) as folder:
            key = (case.ids, case.apps, case.events)
            if key not in self.expected:
                self.expected[key] = expected_counts(case, self.seed, folder)
            sent, cpu = getattr(self, contestant.replace("-", "_"))(case, folder, self.expected[key])
        return {"rate": sent["events"] / sent["seconds"], "cpu": cpu / sent["events"]}

    def send(self, case, contestant, path):
        workload = case.workload(self.seed)
        if case.form == "datagrams":
            return load("datagrams", workload, socket=path, short=self.short)
        return load("send", workload, case.transport(contestant), socket=path, sync=case.sync if contestant == "daemon" else 0,
                    short=self.short)

    def limit(self, case, folder, expected):
        what, options = "count", {"streams": case.streams}
        if case.form == "datagrams":
            what, options = "count-datagrams", {"events": case.events}
        with Reader(folder, what, **options) as reader:
            sent = self.send(case, "limit", reader.socket)
            found = reader.finish()
        if found["lines"] != sent["events"]:
            raise Failure(f"the reader has counted {found['lines']} lines of {sent['events']}")
        return sent, found["cpu"]

    def daemon(self, case, folder, expected):
        with Daemon(folder, case.settings) as daemon:
            before = daemon.cpu_seconds()
            if case.form == "datagrams":
                sent = self.send(case, "daemon", daemon.datagrams)
                # Nobody is told when the last few have been read.
                wait_until(lambda: daemon.status()["counters"]["datagrams"] == sent["events"], 20, "last datagram")
            else:
                sent = self.send(case, "daemon", daemon.events)
            cpu = daemon.cpu_seconds() - before
            daemon.check_totals(sent["events"])
            repeats = case.repeats.get("daemon", 1)
            daemon.check_each(expected if repeats == 1 else array.array("I", (uses * repeats for uses in expected)))
        return sent, cpu

    def redis(self, case, folder, expected, *options):
        with Redis(folder, *options) as redis:
            before = redis.cpu_seconds()
            sent = load("redis", case.workload(self.seed), socket=redis.socket, streams=case.streams, size=case.size,
                        short=self.short)
            cpu = redis.cpu_seconds() - before
            redis.check(expected)
        return sent, cpu

    def redis_aof(self, case, folder, expected):
        """Redis with a log of its own that it syncs once a second."""
        return self.redis(case, folder, expected, "--appendonly", "yes", "--appendfsync", "everysec")
