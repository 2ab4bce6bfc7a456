#!/usr/bin/env python3
"""Shows where the daemon's time goes while it takes plain lines of 10,000 ids: the ten symbols that take most.

usage: bench/profile.py [--form plain|json] [--ids N] [--events N]     (make profile)

It samples with perf; where that may not record, it runs the daemon under valgrind --tool=callgrind with a hundredth of
the events, and counts instructions.
"""
import argparse, glob, os, shutil, subprocess, sys
from programs import Daemon, Failure, built, load, quit_on_signals, temporary_folder

TOP = 10


def may_record(folder):
    """Whether perf is there and the kernel lets it record."""
    return shutil.which("perf") is not None and subprocess.run(
        ["perf", "record", "-o", os.path.join(folder, "probe"), "true"], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL).returncode == 0


def send(daemon, options, events):
    ids = min(options.ids, events)
    load("send", {"ids": ids, "apps": max(1, min(10_000, ids // 100)), "events": events}, socket=daemon.events,
         form=options.form)
    daemon.check_totals(events)


def by_perf(folder, options):
    data = os.path.join(folder, "perf.data")
    with Daemon(folder) as daemon:
        recorder = subprocess.Popen(["perf", "record", "-q", "-F", "2000", "-o", data, "-p", str(daemon.process.pid)],
                                    stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        send(daemon, options, options.events)
        daemon.stop()  # perf ends with it
        recorder.wait(60)
    output = subprocess.run(["perf", "report", "-i", data, "--stdio", "--no-children", "-g", "none", "--percent-limit", "0.1"],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    for line in [line for line in demangled(output).splitlines() if line.strip() and not line.startswith("#")][:TOP]:
        print("  " + " ".join(line.split()))


def by_callgrind(folder, options):
    events = max(options.events // 100, 1)
    print(f"perf can't record here: instructions of {events} events, counted by callgrind")
    # valgrind does not read what Swift says of its sources; the names of functions stay.
    stripped = os.path.join(folder, "quickactionsd")
    subprocess.run(["strip", "--strip-debug", "-o", stripped, built("quickactionsd")], check=True)
    os.environ["QUICKACTIONSD"] = stripped
    pattern = os.path.join(folder, "callgrind.out.%p")
    with Daemon(folder, patience=300,
                before=["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={pattern}"]) as daemon:
        send(daemon, options, events)
        daemon.stop()
    output = subprocess.run(["callgrind_annotate", *glob.glob(os.path.join(folder, "callgrind.out.*"))[:1]],
                            stdout=subprocess.PIPE, text=True).stdout
    rows = [line for line in demangled(output).splitlines() if "%)" in line and "PROGRAM TOTALS" not in line]
    for line in rows[:TOP]:
        print("  " + " ".join(line.split()))


def demangled(text):
    return subprocess.run(["swift", "demangle", "--simplified"], input=text, stdout=subprocess.PIPE, text=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--form", choices=["plain", "json"], default="plain")
    parser.add_argument("--ids", type=int, default=10_000)
    parser.add_argument("--events", type=int, default=5_000_000)
    options = parser.parse_args()
    quit_on_signals()
    try:
        with temporary_folder() as folder:
            (by_perf if may_record(folder) else by_callgrind)(folder, options)
    except Failure as failure:
        sys.exit(f"profile: {failure}")


if __name__ == "__main__":
    main()
