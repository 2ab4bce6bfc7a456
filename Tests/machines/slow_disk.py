#!/usr/bin/env python3
"""Measures how long the event loop ever stalls while each fsync takes 3 s, and what the watchdog hears meanwhile.

usage: Tests/machines/slow_disk.py [--seconds N] [--delay SECONDS]

The status is asked for every 5 ms while events flow; the longest wait for an answer is the longest stall. The same is
measured before under strace without a delay. A busy machine holds up anybody, so this is tried up to three times; a
loop that waited for the disk would do so each time. Then the daemon is stopped by SIGSTOP: the watchdog must hear nothing.
"""
import argparse, contextlib, os, signal, subprocess, sys, time
from machine import Failure, Site, quit_on_signals, temporary_folder

SETTINGS = "[Snapshot]\nInterval=500ms\n[Storage]\nCommitInterval=100ms\nIntakeLogSize=64M\n"
WATCHDOG = 2.0
TARGET = 0.050


def attach(site, delay):
    words = ["strace", "-f", "-qq", "-o", os.path.join(site.folder, "trace"), "-e", "trace=fsync,fdatasync",
             "-p", str(site.daemon.pid)]
    if delay:
        words += ["-e", f"inject=fsync,fdatasync:delay_enter={int(delay * 1e6)}"]
    tracer = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    site.wait_until(site.tracer, 10, "tracer")
    return tracer


def end(tracer):
    """Lets go of the daemon. Where strace does not, its own end does."""
    tracer.send_signal(signal.SIGTERM)
    try:
        tracer.wait(5)
    except subprocess.TimeoutExpired:
        tracer.kill()
        tracer.wait(20)


def measure(site, seconds, delay):
    """Asks for so long; the answers' times, and how many commits there were."""
    tracer = attach(site, delay)
    try:
        events, control = site.connect(), site.connect("control.sock")
        commits = site.status()["counters"]["commits"]
        times, sent, begin = [], 0, time.monotonic()
        while time.monotonic() - begin < seconds:
            events.send(b"".join(b"com.example.app%d.action%d\n" % (n % 7, n % 500) for n in range(sent, sent + 50)))
            sent += 50
            asked = time.perf_counter()
            control.replies.clear()
            control.send(b'{"op":"status"}\n')
            while not control.reply("status"):
                if time.perf_counter() - asked > 20:
                    raise Failure("no answer for 20 s")
                time.sleep(0.0002)
            times.append(time.perf_counter() - asked)
            site.manager.pump()
            time.sleep(max(0, 0.005 - times[-1]))
        commits = site.status()["counters"]["commits"] - commits
        events.close()
        control.close()
        return sorted(times), commits, sent
    finally:
        end(tracer)


def longest_silence(heard, begin, end):
    signs = [begin] + [at for at, lines in heard if "WATCHDOG=1" in lines and begin <= at <= end] + [end]
    return max(later - earlier for earlier, later in zip(signs, signs[1:]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--attempts", type=int, default=3)
    parser.add_argument("--delay", type=float, default=3)
    options = parser.parse_args()
    quit_on_signals()
    # What else the machine does is not what is measured.
    with contextlib.suppress(OSError):
        os.nice(-15)
    with temporary_folder("slow-disk") as folder:
        site = Site(folder, SETTINGS)
        try:
            site.start(environment={"WATCHDOG_USEC": str(int(WATCHDOG * 1e6))})
            site.wait_ready()
            sent, attempt, is_good = 0, 0, False
            while attempt < options.attempts and not is_good:
                attempt += 1
                usual, usual_commits, before = measure(site, max(3, options.seconds / 3), 0)
                begin = time.monotonic()
                slow, commits, more = measure(site, options.seconds, options.delay)
                silence = longest_silence(site.manager.heard, begin, time.monotonic())
                sent += before + more
                is_good = slow[-1] < max(TARGET, 1.5 * usual[-1]) and silence < WATCHDOG

            site.daemon.send_signal(signal.SIGSTOP)
            site.manager.pump(0.1)
            stopped = len(site.manager.heard)
            time.sleep(1.5 * WATCHDOG)  # What is looked for is that nothing comes.
            site.manager.pump()
            signs = sum("WATCHDOG=1" in lines for _, lines in site.manager.heard[stopped:])
            site.daemon.send_signal(signal.SIGCONT)
            site.wait_until(lambda: site.manager.has_heard("WATCHDOG=1", stopped), 5, "sign of life after SIGCONT")
            accepted = site.wait_until(lambda: site.status()["counters"]["accepted"] == sent, 10, "count")
            site.stop()
        finally:
            site.close()
    print(f"slow disk: every fsync delayed by {options.delay:g} s: longest stall of the loop {slow[-1] * 1000:.1f} ms "
          f"(median {slow[len(slow) // 2] * 1000:.2f} ms, {len(slow)} answers, {commits} commits); without the delay "
          f"{usual[-1] * 1000:.1f} ms ({len(usual)} answers, {usual_commits} commits); longest silence for a watchdog of "
          f"{WATCHDOG:g} s: {silence:.2f} s; {signs} signs of life while stopped; attempt {attempt}; {sent} events counted: {accepted}")
    sys.exit(0 if is_good and signs == 0 else 1)


if __name__ == "__main__":
    main()
