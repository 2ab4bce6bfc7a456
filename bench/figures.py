#!/usr/bin/env python3
"""Measures what the daemon costs while nothing happens: start, memory, wake-ups. bench/bench.py measures it at work.

usage: bench/figures.py [--idle SECONDS] [--runs N]     (make figures)
It starts .build/release/quickactionsd (or $QUICKACTIONSD) in a temporary folder, with a socket of its own in
NOTIFY_SOCKET. Times depend on the machine and decide nothing.
"""
import argparse, statistics, time
from programs import Daemon, quit_on_signals, temporary_folder


def start_and_stop():
    with temporary_folder() as folder, Daemon(folder) as daemon:
        daemon.stop()
        return daemon.seconds_to_ready


def idle(seconds):
    with temporary_folder() as folder, Daemon(folder) as daemon:
        time.sleep(2)  # whatever belongs to the start is over
        memory, before, cpu = daemon.memory("VmRSS"), daemon.wake_ups(), daemon.cpu_seconds()
        time.sleep(seconds)  # the thing measured is what happens while nothing does
        result = memory, (daemon.wake_ups() - before) / seconds, daemon.cpu_seconds() - cpu
        daemon.stop()
        return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--idle", type=int, default=20, metavar="SECONDS")
    parser.add_argument("--runs", type=int, default=11)
    options = parser.parse_args()
    quit_on_signals()

    starts = sorted(start_and_stop() for _ in range(options.runs))
    print(f"start to READY, empty state: median {statistics.median(starts) * 1000:.1f} ms, "
          f"slowest {starts[-1] * 1000:.1f} ms of {options.runs}", flush=True)
    memory, wake_ups, cpu = idle(options.idle)
    print(f"idle: {memory / 1e6:.1f} MB resident; {wake_ups:.2f} wake-ups a second (0.20 are the snapshot timer); "
          f"{cpu:.2f} s of CPU time in {options.idle} s")


if __name__ == "__main__":
    main()
