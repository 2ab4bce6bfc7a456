#!/usr/bin/env python3
"""Starts the daemon on damaged copies of a real state and of a real intake log.

usage: Tests/machines/damage.py [--count N] [--seed N] [--jobs N] [--only N] [--keep]

The state is that of a killed daemon: a database, a write-ahead log, a backup and an intake log, all with something in
them. In each copy one or more of these is cut short, or has zeros, flipped bits or garbage in it, or is gone, empty or a
folder. The daemon must get READY, count and store what comes then, write no number that is none and none below 0, count
nothing twice, and say what it lost: counts may be lower than they were only if it has said that something is damaged.
"""
import argparse, collections, math, multiprocessing, os, random, re, shutil, sys, time, traceback
from faults import SETTINGS, Templates
from machine import Ended, Failure, Site, quit_on_signals, temporary_folder

FILES = ("state/state.db", "state/state.db", "state/state.db", "state/state.db-wal", "state/state.db.backup", "run/intake.log")
NOISES = ("cut", "zero", "flip", "garbage", "empty", "missing", "folder")


def damage(path, chance):
    """Does something to a file; says what."""
    kind = chance.choices(NOISES, (20, 20, 30, 20, 3, 3, 1))[0]
    size = os.path.getsize(path)
    if kind in ("missing", "folder"):
        os.unlink(path)
        if kind == "folder":
            os.mkdir(path)
        return kind
    with open(path, "r+b") as file:
        if kind in ("cut", "empty"):
            length = 0 if kind == "empty" else chance.randrange(size)
            file.truncate(length)
            return f"cut at {length}"
        if path.endswith("intake.log"):
            begin = chance.choice(used_places(path))
        else:
            begin = chance.randrange(size)
        length = min(size - begin, chance.choice((1, 16, 512, 4096, 20000)))
        file.seek(begin)
        old = file.read(length)
        if kind == "flip":
            new = bytearray(old)
            for _ in range(chance.choice((1, 2, 20))):
                new[chance.randrange(length)] ^= 1 << chance.randrange(8)
        else:
            new = bytes(length) if kind == "zero" else chance.randbytes(length)
        file.seek(begin)
        file.write(new)
        return f"{kind} at {begin}, {length} bytes"


places = {}


def used_places(path):
    """Offsets of what is not zero in an intake log."""
    if "log" not in places:
        with open(path, "rb") as file:
            content = file.read()
        places["log"] = [match.start() + at for match in re.finditer(rb"[^\0]+", content)
                         for at in range(match.end() - match.start())]
    return places["log"]


def check_numbers(snapshots):
    for path, snapshot in snapshots.items():
        for row in snapshot["shortcuts"] + snapshot.get("dynamic", []):
            if not (math.isfinite(row["score"]) and row["score"] >= 0 and row["uses"] >= 0):
                raise Failure(f"{path} has {row}")


state = {}


def attempt(number):
    chance = random.Random(f"{state['seed']}/{number}")
    folder = os.path.join(state["folder"], f"copy-{number}")
    did, kept = [], "?"
    try:
        os.mkdir(folder)
        site = Site(folder, SETTINGS % 4)
        uses = state["templates"].fill(site, "recovery")
        for name in chance.sample(sorted(set(FILES)), 2) if chance.random() < 0.2 else [chance.choice(FILES)]:
            did.append(f"{name}: {damage(os.path.join(folder, name), chance)}")
        isFolder = os.path.isdir(f"{site.state}/state.db") or os.path.isdir(f"{site.state}/state.db-wal")
        try:
            kept = look(site, uses, did, may_refuse=isFolder)
        finally:
            site.close()
        return number, did, kept, None
    except Exception as error:
        text = str(error) if isinstance(error, (Failure, Ended)) else traceback.format_exc()
        return number, did, kept, f"{text}; it wrote: {site.said()[-600:]}"
    finally:
        if not state["keeps"]:
            shutil.rmtree(folder, ignore_errors=True)


def look(site, uses, did, may_refuse):
    site.start()
    try:
        site.wait_ready()
    except Ended:
        if may_refuse and site.daemon.returncode == 73 and re.search("not a|cannot", site.said()):
            return "refused"
        raise Failure(f"the daemon ended with {site.daemon.returncode}")
    words = site.said()
    before = dict(uses.actions)
    new = uses.batch(77)
    client = site.connect()
    client.send(new + b'{"op":"sync"}\n')
    reply = site.wait_until(lambda: client.reply("sync"), 10, "answer to sync")
    client.close()
    if not reply["durable"]:
        raise Failure(f"what comes after the damage is not stored: {reply}")
    check_numbers(site.snapshots())
    site.stop()
    stored, _ = site.stored()
    check_numbers(site.snapshots())
    too_many = {action: count for action, count in stored.items() if count > uses.actions[action]}
    if too_many:
        raise Failure(f"counted more often than sent: {too_many}")
    lost = {action: (stored.get(action, 0), count) for action, count in uses.actions.items() if stored.get(action, 0) < count}
    is_said = re.search("damaged|lacks|set aside|missing", words)
    for action, (count, wanted) in lost.items():
        if wanted - count > before.get(action, 0):
            raise Failure(f"uses from after the damage are lost: {action} {count} of {wanted}")
    # A log that is gone as if there never was one, which a reboot explains, is nothing that can be noticed.
    if lost and not is_said and os.path.join("run", "intake.log: missing") not in did:
        raise Failure(f"lost without a word: {lost}")
    site.start_and_wait()
    if "damaged" in site.said():
        raise Failure(f"the next start finds it damaged again")
    site.stop()
    return "whole" if not lost else "part" if stored else "nothing"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, help="the copy of this number alone")
    parser.add_argument("--keep", action="store_true", help="leave the folders")
    options = parser.parse_args()
    quit_on_signals()
    begin = time.monotonic()
    results, failures = collections.Counter(), 0
    with temporary_folder("damage") as folder:
        state.update(folder=folder, templates=Templates(folder), seed=options.seed, keeps=options.keep)
        numbers = range(options.count) if options.only is None else [options.only]
        with multiprocessing.Pool(options.jobs, quit_on_signals) as pool:
            for number, did, kept, failure in pool.imap_unordered(attempt, numbers):
                results[kept] += 1
                if failure:
                    failures += 1
                    print(f"FAILED copy {number} of seed {options.seed} ({'; '.join(did)}): {failure}", flush=True)
            pool.close()
            pool.join()
    print(f"damage: {len(numbers)} damaged copies (seed {options.seed}) in {time.monotonic() - begin:.0f} s: all counts kept in "
          f"{results['whole']}, some in {results['part']}, none in {results['nothing']}; a folder refused in "
          f"{results['refused']}; {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
