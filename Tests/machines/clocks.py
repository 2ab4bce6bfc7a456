#!/usr/bin/env python3
"""Steps the wall clock under a running daemon, between its runs and across a kill, and compares with one left alone.

usage: Tests/machines/clocks.py [--only STEP] [--half-life DURATION]

Two daemons get the same events at the same times. One of them sees another CLOCK_REALTIME, by a small library that is
compiled here and preloaded: by -1 s, -1 h, -10 years, +20 years, and in 1970, 2038 and 2106, each forth and back while it
runs, while it is stopped, and while it is dead by SIGKILL. (libfaketime would not do: it also moves what timerfd_settime is
given for CLOCK_BOOTTIME, and by setenv before main hides its arguments from a Swift program.) In the end the scores of all actions
must be equal but for what the half-life takes between the two readings, no use may be missing, and the steps are counted.
"""
import argparse, contextlib, math, os, shutil, sqlite3, struct, subprocess, sys, time
from machine import Ended, Failure, Site, quit_on_signals, temporary_folder

SETTINGS = "[Ranking]\nHalfLife=%s\nLimit=20\n[Snapshot]\nInterval=1h\n[Storage]\nCommitInterval=100ms\nIntakeLogSize=8M\n"
YEAR = 365.25 * 86400
TOLERANCE = 1e-5
STEPS = {"-1s": lambda now: -1, "-1h": lambda now: -3600, "-10years": lambda now: -10 * YEAR, "+20years": lambda now: 20 * YEAR,
         "1970": lambda now: 10 - now, "2038": lambda now: 2**31 - 1 - now, "2106": lambda now: 2**32 - 1 - now}


SHIM = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile long *shift;

__attribute__((constructor)) static void open_shift(void) {
    int file = open(getenv("CLOCK_SHIFT_FILE"), O_RDONLY | O_CLOEXEC);
    void *place = mmap(0, sizeof(long), PROT_READ, MAP_SHARED, file, 0);
    if (place == MAP_FAILED) _exit(99);
    shift = place;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && shift && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += *shift;
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}
"""


def build_library(folder):
    source, library = os.path.join(folder, "shift.c"), os.path.join(folder, "shift.so")
    with open(source, "w") as file:
        file.write(SHIM)
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if not compiler:
        print("clocks: skipped, there is no C compiler")
        sys.exit(77)
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, source], check=True)
    return library


class Shifted(Site):
    """A site whose daemon sees another wall clock."""

    def __init__(self, folder, settings, library):
        super().__init__(folder, settings)
        self.file = os.path.join(folder, "shift")
        self.library = library
        with open(self.file, "wb") as file:
            file.write(bytes(8))
        self.shift(0)

    def shift(self, seconds):
        self.by = round(seconds)
        with open(self.file, "r+b", buffering=0) as file:
            file.write(struct.pack("@q", self.by))

    def start(self, before=(), environment=None):
        super().start(before, {"LD_PRELOAD": self.library, "CLOCK_SHIFT_FILE": self.file})


class Pair:
    def __init__(self, folder, library, half_life):
        settings = SETTINGS % half_life
        folders = [os.path.join(folder, name) for name in ("still", "shifted")]
        for path in folders:
            os.mkdir(path)
        self.still, self.shifted = Site(folders[0], settings), Shifted(folders[1], settings, library)
        self.sites = (self.still, self.shifted)
        self.sent = {}

    def each(self, body):
        for site in self.sites:
            body(site)

    def send(self, number):
        """A batch to both: uses of now, some of ten minutes ago by the clock that the daemon sees."""
        has_ago = time.time() + self.shifted.by > 600
        clients = []
        for site in self.sites:
            ago = time.time() + getattr(site, "by", 0) - 600
            lines = [f"com.example.clock.now{number} n={number + 1}", f"com.example.clock.every n=2 id=every{number}"]
            if has_ago:
                lines.append(f"com.example.clock.ago{number} t={ago:.3f}")
            clients.append(site.connect())
            clients[-1].send(("\n".join(lines) + '\n{"op":"sync"}\n').encode())
        for site, client in zip(self.sites, clients):
            reply = site.wait_until(lambda: client.reply("sync"), 10, "answer to sync")
            client.close()
            if not reply["durable"] or reply["accepted"] != len(lines):
                raise Failure(f"{lines} are answered by {reply}")
        self.sent[f"now{number}"] = number + 1
        self.sent["every"] = self.sent.get("every", 0) + 2
        if has_ago:
            self.sent[f"ago{number}"] = 1

    def scores(self):
        """Scores of both at the moments at which they are stored, by decay time."""
        result = []
        for site in self.sites:
            with contextlib.closing(sqlite3.connect(f"file:{site.state}/state.db?immutable=1", uri=True)) as database:
                clock = database.execute("SELECT decay_time_ns, boot_time_ns, half_life_ns FROM daemon").fetchone()
                rows = database.execute("SELECT action, uses, score_value, score_landmark FROM actions").fetchall()
            decay, boot, half_life = clock
            # What both would be at one moment: the boot's clock is the same for both.
            now = decay + time.clock_gettime_ns(time.CLOCK_BOOTTIME) - boot
            result.append(({action: score * 2.0 ** (landmark - now / half_life) for action, _, score, landmark in rows},
                           {action: uses for action, uses, _, _ in rows}))
        return result

    def compare(self, what):
        (still, still_uses), (shifted, shifted_uses) = self.scores()
        sent = {f"com.example.clock.{name}": count for name, count in self.sent.items()}
        if still_uses != sent or shifted_uses != sent:
            raise Failure(f"{what}: sent {sent}, counted {still_uses} and {shifted_uses}")
        largest = 0
        for action, score in still.items():
            other = shifted[action]
            if not (math.isfinite(other) and other > 0):
                raise Failure(f"{what}: the score of {action} is {other}")
            largest = max(largest, abs(score - other) / score)
        return largest


def try_step(folder, library, half_life, name):
    """Returns the largest relative difference, and how many steps were counted."""
    pair = Pair(folder, library, half_life)
    steps = 0
    try:
        pair.each(lambda site: site.start_and_wait())
        pair.send(0)
        number = 1
        for how in ("running", "stopped", "killed"):
            for to in (STEPS[name](time.time()), 0):
                if how == "stopped":
                    pair.each(lambda site: site.stop())
                elif how == "killed":
                    for site in pair.sites:
                        client = site.connect()
                        before = site.status()["counters"]["accepted"]
                        client.send(b"com.example.clock.every n=3\n")
                        site.wait_until(lambda: site.status()["counters"]["accepted"] > before, 10, "count")
                        site.kill()
                        client.close()
                    pair.sent["every"] += 3
                pair.shifted.shift(to)
                steps += 1
                if how != "running":
                    pair.each(lambda site: site.start_and_wait())
                pair.send(number)
                number += 1
        counted = pair.shifted.status()["counters"]["wallSteps"]
        if pair.still.status()["counters"]["wallSteps"] != 0:
            raise Failure("a step was counted where there was none")
        # A step of 1 s is just as large as one that is noticed, and may be a little less by when the clocks are read.
        if counted > steps or counted < steps and name != "-1s":
            raise Failure(f"{counted} steps of the wall clock were counted of {steps}")
        pair.shifted.snapshots()
        pair.each(lambda site: site.stop())
        return pair.compare(name), steps
    except Ended as ended:
        raise Failure(f"{ended}: " + "; ".join(f"{site.daemon.poll()}: {site.said()[-500:]}" for site in pair.sites))
    finally:
        pair.each(lambda site: site.close())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=STEPS)
    parser.add_argument("--half-life", default="6h")
    options = parser.parse_args()
    quit_on_signals()
    largest, steps, failures, begin = 0.0, 0, 0, time.monotonic()
    names = [options.only] if options.only else list(STEPS)
    for name in names:
        with temporary_folder("clocks") as folder:
            try:
                difference, made = try_step(folder, build_library(folder), options.half_life, name)
                largest, steps = max(largest, difference), steps + made
                if difference > TOLERANCE:
                    raise Failure(f"the scores differ by {difference:.2e}")
            except Failure as failure:
                failures += 1
                print(f"FAILED {name}: {failure}", flush=True)
    print(f"clocks: {len(names)} kinds of step, {steps} steps while running, stopped and killed, in "
          f"{time.monotonic() - begin:.0f} s: scores differ by {largest:.1e} at most (half-life {options.half_life}), "
          f"every use and every step counted; {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
