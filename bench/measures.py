"""What is measured of the daemon alone, or against Redis but once: memory, starts, hostile clients, connections, load.

Each function returns a flat object of names and numbers; the counts are checked in each.
"""
import json, subprocess, threading, time
from cases import MANY
from programs import Daemon, Failure, Redis, as_options, built, load, temporary_folder, wait_until

MANY_CONNECTIONS = "[Intake]\nMaxConnections=100000\nMaxConnectionsPerUser=100000\n"


class Peak:
    """The most memory that a program has while this is open."""

    def __init__(self, program):
        self.program, self.bytes, self.is_over = program, 0, threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def watch(self):
        while not self.is_over.wait(0.02):
            self.bytes = max(self.bytes, self.program.memory())

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()


def uses_of(ids, each=1):
    """A hundred actions an app; with each=1, every id once."""
    return {"ids": ids, "apps": max(1, min(10_000, ids // 100)), "events": each * ids}


def fill(daemon, ids, **more):
    sent = load("send", uses_of(ids), {"form": "plain"}, socket=daemon.events, **more)
    daemon.check_totals(ids)
    return sent


def memory(runner, factor):
    """Anonymous memory an action: the intake log and cached files are not in it."""
    ids = int(1_000_000 * factor)
    with temporary_folder(runner.folder) as folder, Daemon(folder, MANY) as daemon:
        before = daemon.memory()
        with Peak(daemon) as peak:
            fill(daemon, ids, short=runner.short)
            daemon.sync()
        ours = {"daemon bytes an action": (daemon.memory() - before) / ids,
                "daemon bytes an action, peak": (peak.bytes - before) / ids}
    with temporary_folder(runner.folder) as folder, Redis(folder) as redis:
        before, used = redis.memory(), redis.used_memory()
        load("redis", uses_of(ids), socket=redis.socket)
        if redis.ask("ZCARD", "q") != b":%d\r\n" % ids:
            raise Failure("Redis has not all ids")
        theirs = {"Redis bytes a member": (redis.used_memory() - used) / ids,
                  "Redis bytes a member, resident": (redis.memory() - before) / ids}
    return {"ids": ids, **ours, **theirs,
            "daemon / Redis": ours["daemon bytes an action"] / theirs["Redis bytes a member"]}


def starts(runner, factor, ids=1_000_000):
    """Seconds until READY with so many stored actions, a hundred an app, after a clean end; the median of three."""
    ids = int(ids * factor)
    settings = MANY.replace("2000000", "20000000")
    with temporary_folder(runner.folder) as folder:
        with Daemon(folder, settings) as daemon:
            fill(daemon, ids, sync=1)
            daemon.stop()
        times = []
        for _ in range(3):
            with Daemon(folder, settings, patience=600) as daemon:
                times.append(daemon.seconds_to_ready)
                if (found := daemon.status()["actions"]) != ids:
                    raise Failure(f"{found} actions after the start in place of {ids}")
                memory = daemon.memory()
                daemon.stop()
    return {"actions": ids, "seconds to READY": sorted(times)[1], "slowest": max(times), "RssAnon MB": memory / 1e6}


def hostile(runner, factor):
    """Ten million distinct ids under the settings' own bounds."""
    ids = int(10_000_000 * factor)
    with temporary_folder(runner.folder) as folder, Daemon(folder) as daemon:
        before = daemon.memory()
        with Peak(daemon) as peak:
            sent = fill(daemon, ids)
        status = daemon.status()
        return {"distinct ids": ids, "million events/s": ids / sent["seconds"] / 1e6, "RssAnon MB before": before / 1e6,
                "RssAnon MB peak": peak.bytes / 1e6, "RssAnon MB after": daemon.memory() / 1e6, "actions kept": status["actions"],
                **{f"ranking {name}": value for name, value in status.get("ranking", {}).items()}}


def connections(runner, factor):
    """Many at once: memory each, and how long one waits until it is accepted and answered; and how many a second."""
    count = int(10_000 * factor)
    found = {"connections": count}
    for asks in (0, 1):
        with temporary_folder(runner.folder) as folder, Daemon(folder, MANY_CONNECTIONS) as daemon:
            before = daemon.memory()
            words = [built("LoadTool"), "hold", *as_options(socket=daemon.events, connections=count, asks=asks)]
            with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
                try:
                    line = holder.stdout.readline()
                    if not line:
                        raise Failure("the load tool could not hold the connections")
                    report = json.loads(line)
                    # Our own question is a connection, too.
                    wait_until(lambda: daemon.status()["connections"] == count + 1, 30, f"{count} connections")
                    if asks:
                        found |= {f"seconds to an answer, {name}": report[name] for name in ("median", "p99", "longest")}
                    else:
                        wait_until(lambda: daemon.status()["counters"]["accepted"] == count, 30, "count")
                        found["RssAnon bytes each"] = (daemon.memory() - before) / count
                finally:
                    holder.stdin.close()
    count *= 10
    with temporary_folder(runner.folder) as folder, Daemon(folder, MANY_CONNECTIONS) as daemon:
        begin, cpu = time.perf_counter(), daemon.cpu_seconds()
        load("churn", socket=daemon.events, connections=count)
        wait_until(lambda: daemon.status()["counters"]["accepted"] == count, 60, "count")
        found |= {"connect-send-close a second": count / (time.perf_counter() - begin),
                  "CPU µs each": (daemon.cpu_seconds() - cpu) / count * 1e6}
        daemon.check_totals(count)
    return found


def under_load(runner, factor):
    """How long the loop ever stalls, and how late snapshots are, while a million actions of 10,000 apps change."""
    ids = int(1_000_000 * factor)
    events = 5 * ids
    with temporary_folder(runner.folder) as folder, Daemon(folder, MANY + "[Snapshot]\nInterval=1s\n") as daemon:
        longest, is_over = [0.0], threading.Event()

        def ask():
            while not is_over.wait(0.005):
                begin = time.perf_counter()
                daemon.status()
                longest[0] = max(longest[0], time.perf_counter() - begin)
        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        try:
            load("send", uses_of(ids, 5), {"form": "plain"}, socket=daemon.events)
        finally:
            is_over.set()
            asking.join()
        daemon.check_totals(events)
        status = daemon.status()
    found = {"events": events, "longest wait for status, ms": longest[0] * 1000, "rounds": status["generation"]}
    # What the daemon itself knows of it.
    for group in ("loop", "snapshots"):
        found |= {f"{group} {name}": value for name, value in flat(status.get(group, {}))}
    return found


def flat(members, prefix=""):
    for name, value in members.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{name} ")
        else:
            yield prefix + name, value


MEASURES = {"memory": memory, "starts": starts, "hostile": hostile, "connections": connections, "load": under_load}
# Only when asked for by name.
MORE_MEASURES = {"ten-million": lambda runner, factor: starts(runner, factor, 10_000_000)}
