#!/usr/bin/env python3
"""Holds the daemon's memory against what docs/LIMITS.md promises, while clients send nothing but actions that are new.

usage: Tests/machines/hostile.py [--ids N] [--actions MAX_ACTIONS] [--streams N]

Three kinds of clients, each with a daemon of its own: ids in a few apps; ids that each name an app of their own; and the
longest ids. None of their actions is ever used again. Every use must be accepted, no more actions and apps be known and
stored than allowed, and the anonymous memory stay within a twentieth of the promise, also after a start from what is stored.
"""
import argparse, contextlib, select, sys, time
from machine import Failure, Site, memory_of, quit_on_signals, temporary_folder

SETTINGS = "[Snapshot]\nInterval=1s\n[Storage]\nIntakeLogSize=16M\n[Ranking]\nMaxActions={}\n"
# A daemon that knows nothing, and what an action and an app cost (docs/LIMITS.md).
BASE, ACTION, APP = 14 << 20, 480, 1_500
SHORT = 32


def most_apps(actions):
    return max(1_000, actions // 8)


def promise(actions, apps, id_bytes, app_bytes):
    """Bytes for so many actions and apps, with names of so many bytes."""
    return (BASE + actions * (ACTION + 3 * max(0, id_bytes - SHORT))
            + apps * (APP + 3 * max(0, app_bytes - SHORT)))


def plain(number):
    return b"com.example.app%d.act%07d\n" % (number % 100, number)


def ever_new_apps(number):
    return b"act%07d app=com.example.app%07d\n" % (number, number)


def longest(number):
    return b"com.example.app%d.%s%07d\n" % (number % 10, b"x" * 231, number)


KINDS = {
    "ids of 26 bytes": (plain, lambda actions: promise(actions, 100, 26, 17)),
    "an app each": (ever_new_apps, lambda actions: promise(actions, most_apps(actions), 10, 22)),
    "ids of 255 bytes": (longest, lambda actions: promise(actions, 10, 255, 16)),
}


class Memory:
    """The daemon's anonymous memory, and the most of it that was seen."""

    def __init__(self, site):
        self.process = site.daemon.pid
        self.most = 0

    def look(self):
        now = memory_of(self.process)
        self.most = max(self.most, now)
        return now


def send(site, line, ids, streams, memory):
    """Sends so many lines, by turns on so many streams, and waits until they are stored."""
    clients = [site.connect() for _ in range(streams)]
    waiting = {client.raw: b"" for client in clients}
    number, begin = 0, time.monotonic()
    while number < ids or any(waiting.values()):
        for raw, data in waiting.items():
            if not data and number < ids:
                end = min(number + 1_000, ids)
                waiting[raw] = b"".join(map(line, range(number, end)))
                number = end
        memory.look()
        site.manager.pump()
        _, ready, _ = select.select([], [raw for raw, data in waiting.items() if data], [], 120)
        if not ready:
            raise Failure(f"nobody reads: {number} of {ids} lines were taken in {time.monotonic() - begin:.0f} s")
        for raw in ready:
            with contextlib.suppress(BlockingIOError):
                waiting[raw] = waiting[raw][raw.send(waiting[raw]):]
    took = time.monotonic() - begin
    for client in clients:
        client.send(b'{"op":"sync"}\n')
    for client in clients:
        site.wait_until(lambda: memory.look() and client.reply("sync"), 300, "answer to a sync")
        client.close()
    return took


def check(status, ids, actions):
    ranking = status["ranking"]
    if status["counters"]["accepted"] != ids or status["counters"]["uses"] != ids:
        raise Failure(f"{ids} uses were sent and {status['counters']['uses']} counted")
    if ranking["actions"] > actions or status["apps"] > most_apps(actions):
        raise Failure(f"{ranking['actions']} actions in {status['apps']} apps are known")
    if ranking["purged"] != ids - ranking["actions"] or not 0 < ranking["maxError"] <= ranking["purges"]:
        raise Failure(f"of {ids} actions that were used once it says {ranking}")


def run(folder, name, line, bound, options):
    site = Site(folder, SETTINGS.format(options.actions))
    try:
        site.start_and_wait()
        memory = Memory(site)
        took = send(site, line, options.ids, options.streams, memory)
        status = site.status()
        check(status, options.ids, options.actions)
        site.stop(60)
        rows = len(site.stored()[0])
        if rows != status["ranking"]["actions"]:
            raise Failure(f"{rows} actions are stored, and {status['ranking']['actions']} were known")
        site.start()
        site.wait_ready(300)
        again = Memory(site)
        again.look()
        restarted = site.status()
        if restarted["ranking"]["purged"] != status["ranking"]["purged"] or restarted["ranking"]["maxError"] <= 0:
            raise Failure(f"after a start it says {restarted['ranking']}, and before {status['ranking']}")
        site.stop(60)
    finally:
        site.close()
    is_good = max(memory.most, again.most) <= 1.05 * bound
    print(f"hostile: {name}: {options.ids} ids on {options.streams} streams in {took:.0f} s, {options.actions} actions at "
          f"most: at most {memory.most / 2**20:.1f} MiB of memory, {again.most / 2**20:.1f} after a start; promised are "
          f"{bound / 2**20:.1f}; {status['ranking']['actions']} actions in {status['apps']} apps, "
          f"{status['ranking']['purges']} purges, an error of at most {status['ranking']['maxError']:g}"
          + ("" if is_good else "; TOO MUCH"), flush=True)
    return is_good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ids", type=int, default=100_000)
    parser.add_argument("--actions", type=int, default=10_000)
    parser.add_argument("--streams", type=int, default=4)
    parser.add_argument("--kind", choices=list(KINDS))
    options = parser.parse_args()
    quit_on_signals()
    is_good = True
    for name, (line, bound) in KINDS.items():
        if options.kind in (None, name):
            with temporary_folder("hostile") as folder:
                is_good = run(folder, name, line, bound(options.actions), options) and is_good
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
