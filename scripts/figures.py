#!/usr/bin/env python3
"""Measures what the daemon costs: start, memory, wake-ups at idle, and events a second with exact counts.

usage: scripts/figures.py [--events N] [--idle SECONDS] [--runs N]     (make figures)
It starts .build/release/quickactionsd (or $QUICKACTIONSD) in a temporary folder, with a socket of its own in
NOTIFY_SOCKET. Times depend on the machine and decide nothing; a wrong count ends it with status 1.
"""
import argparse, json, os, random, shutil, socket, statistics, subprocess, sys, tempfile, time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
DAEMON = os.path.abspath(os.environ.get("QUICKACTIONSD", os.path.join(ROOT, ".build/release/quickactionsd")))


class Daemon:
    """One run of the daemon in `folder`, ready when this returns."""

    def __init__(self, folder, settings=""):
        self.folder = folder
        self.notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notices.bind(os.path.join(folder, "notify"))
        with open(os.path.join(folder, "settings"), "w") as file:
            file.write(settings)
        arguments = [DAEMON, "--runtime-dir", self.path("run"), "--state-dir", self.path("state"),
                     "--config", self.path("settings")]
        begin = time.perf_counter()
        self.process = subprocess.Popen(arguments, env=dict(os.environ, NOTIFY_SOCKET=self.path("notify")))
        self.notices.settimeout(10)
        while b"READY=1" not in self.notices.recv(4096):
            pass
        self.seconds_to_ready = time.perf_counter() - begin

    def path(self, name):
        return os.path.join(self.folder, name)

    def ask(self, request, name):
        with socket.socket(socket.AF_UNIX) as control:
            control.connect(self.path("run/" + name))
            control.sendall(json.dumps(request).encode() + b"\n")
            return json.loads(control.makefile().readline())

    def status(self, field):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(field + ":"))

    def cpu_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def wake_ups(self):
        total = 0
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{task}/status") as file:
                total += next(int(line.split()[1]) for line in file if line.startswith("voluntary_ctxt_switches"))
        return total

    def stop(self):
        self.process.terminate()
        status = self.process.wait(30)
        self.notices.close()
        if status != 0:
            sys.exit(f"figures: the daemon ended with status {status}")


def in_folder(body):
    folder = tempfile.mkdtemp(prefix="quickactions-figures-")
    try:
        return body(folder)
    finally:
        shutil.rmtree(folder)


def start_and_stop(folder):
    daemon = Daemon(folder)
    daemon.stop()
    return daemon.seconds_to_ready


def idle(folder, seconds):
    daemon = Daemon(folder)
    time.sleep(2)  # whatever belongs to the start is over
    memory, before, cpu = daemon.status("VmRSS"), daemon.wake_ups(), daemon.cpu_seconds()
    time.sleep(seconds)  # the thing measured is what happens while nothing does
    result = memory, (daemon.wake_ups() - before) / seconds, daemon.cpu_seconds() - cpu
    daemon.stop()
    return result


def stream(folder, events, ids, settings=""):
    numbers = random.Random(1)
    names = [b"com.example.app%02d.action%05d\n" % (i % 30, i) for i in range(ids)]
    weights = [1 / (i + 1) for i in range(ids)]
    path = os.path.join(folder, "events")
    with open(path, "wb") as file:
        for begin in range(0, events, 100_000):
            file.write(b"".join(numbers.choices(names, weights, k=min(100_000, events - begin))))
    os.sync()  # else the daemon's own syncs would wait for this file to be written out
    daemon = Daemon(folder, settings)
    rates, cpu = [], daemon.cpu_seconds()
    for run in range(1, 4):
        begin = time.perf_counter()
        subprocess.run(["socat", "-u", "-b", "262144", f"OPEN:{path}", f"UNIX-CONNECT:{folder}/run/events.sock"],
                       check=True)
        # The socket has taken everything; the end of the connection has to be read before the counts are whole.
        while daemon.ask({"op": "status"}, "control.sock")["status"]["counters"]["accepted"] < run * events:
            if time.perf_counter() - begin > 60:
                sys.exit("figures: events are missing")
        rates.append(events / (time.perf_counter() - begin))
    counters = daemon.ask({"op": "status"}, "control.sock")["status"]
    if counters["counters"]["uses"] != 3 * events or sum(counters["refused"].values()) != 0:
        sys.exit(f"figures: {counters['counters']['uses']} uses counted of {3 * events} sent")
    result = statistics.median(rates), (daemon.cpu_seconds() - cpu) / 3 / events, daemon.status("VmHWM")
    daemon.stop()
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=5_000_000)
    parser.add_argument("--ids", type=int, default=10_000)
    parser.add_argument("--idle", type=int, default=20, metavar="SECONDS")
    parser.add_argument("--runs", type=int, default=11)
    options = parser.parse_args()

    starts = sorted(in_folder(start_and_stop) for _ in range(options.runs))
    print(f"start to READY, empty state: median {statistics.median(starts) * 1000:.1f} ms, "
          f"slowest {starts[-1] * 1000:.1f} ms of {options.runs}", flush=True)
    memory, wake_ups, cpu = in_folder(lambda folder: idle(folder, options.idle))
    print(f"idle: {memory / 1024:.1f} MB resident; {wake_ups:.2f} wake-ups a second (0.20 are the snapshot timer); "
          f"{cpu:.2f} s of CPU time in {options.idle} s", flush=True)
    without, _, _ = in_folder(
        lambda folder: stream(folder, options.events, options.ids, "[Storage]\nIntakeLogSize=0\n"))
    rate, cpu, peak = in_folder(lambda folder: stream(folder, options.events, options.ids))
    print(f"plain events, one stream, big writes, {options.ids} ids: {rate / 1e6:.1f} million a second, "
          f"{cpu * 1e9:.0f} ns of CPU time each, counts exact ({3 * options.events}); peak {peak / 1024:.1f} MB")
    print(f"the same without the intake log: {without / 1e6:.1f} million a second; with it {rate / without:.2f} of that")


if __name__ == "__main__":
    main()
