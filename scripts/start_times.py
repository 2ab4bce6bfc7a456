#!/usr/bin/env python3
"""Measures how long the daemon takes to start with many stored actions, and how much memory at most.

usage: scripts/start_times.py [--actions N] [--apps N] [--runs N] [--folder PATH] [--setting SECTION.KEY=VALUE]...

It starts .build/release/quickactionsd (or $QUICKACTIONSD) with a socket of its own in NOTIFY_SOCKET, sends one use of
each of N actions, which share so many apps, has them stored, and then starts it again and again: from exec to READY=1,
the processor time and the peak of memory up to there, and what was told of the progress. With a folder the state is
kept there and found again. Times depend on the machine and decide nothing; a wrong count ends it with status 1.
"""
import argparse, json, os, re, resource, shutil, socket, statistics, subprocess, sys, tempfile, time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
DAEMON = os.path.abspath(os.environ.get("QUICKACTIONSD", os.path.join(ROOT, ".build/release/quickactionsd")))
# Of the first run: all lines fit into the log, so that commits never hold up the sender for long.
GENERATING = {"Storage.IntakeLogSize": "4G", "Snapshot.Interval": "1h"}


class Daemon:
    """One run of the daemon in `folder`, ready when this returns."""

    def __init__(self, folder, settings):
        self.folder = folder
        self.messages = []
        path = self.path("notify")
        if os.path.exists(path):
            os.unlink(path)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
            notices.bind(path)
            notices.settimeout(600)
            with open(self.path("settings"), "w") as file:
                for key, value in settings.items():
                    section, name = key.split(".")
                    file.write(f"[{section}]\n{name}={value}\n")
            begin = time.perf_counter()
            self.process = subprocess.Popen(
                [DAEMON, "--runtime-dir", self.path("run"), "--state-dir", self.path("state"),
                 "--config", self.path("settings")], env=dict(os.environ, NOTIFY_SOCKET=path))
            while not any("READY=1" in message for message in self.messages):
                self.messages.append(notices.recv(4096).decode())
            self.seconds_to_ready = time.perf_counter() - begin
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        self.cpu_seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        self.peak, self.resident = self.memory("VmHWM"), self.memory("VmRSS")

    def path(self, name):
        return os.path.join(self.folder, name)

    def memory(self, field):
        """Megabytes."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(field + ":")) / 1024

    def status(self):
        with socket.socket(socket.AF_UNIX) as control:
            control.connect(self.path("run/control.sock"))
            control.sendall(b'{"op":"status"}\n')
            return json.loads(control.makefile().readline())["status"]

    def stop(self):
        self.process.terminate()
        if self.process.wait(600) != 0:
            sys.exit(f"start_times: the daemon ended with status {self.process.returncode}")


def generate(folder, actions, apps, settings):
    """Has one use of each action stored."""
    daemon = Daemon(folder, {**GENERATING, **settings})
    with socket.socket(socket.AF_UNIX) as events:
        events.connect(daemon.path("run/events.sock"))
        for begin in range(0, actions, 20_000):
            numbers = range(begin, min(begin + 20_000, actions))
            events.sendall(b"".join(b"com.example.app%05d.action%08d\n" % (i % apps, i) for i in numbers))
        events.sendall(b'{"op":"sync"}\n')
        replies = events.makefile()
        while True:
            # A sync that a commit takes too long for is answered so; the next one is asked then.
            reply = json.loads(replies.readline())["sync"]
            if reply["refused"] or reply["accepted"] != actions:
                sys.exit(f"start_times: {reply} after {actions} lines")
            if reply["durable"]:
                break
            events.sendall(b'{"op":"sync"}\n')
    daemon.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--actions", type=int, default=1_000_000)
    parser.add_argument("--apps", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder")
    parser.add_argument("--setting", action="append", default=[], metavar="SECTION.KEY=VALUE")
    options = parser.parse_args()
    settings = dict(setting.split("=", 1) for setting in options.setting)
    folder = options.folder or tempfile.mkdtemp(prefix="quickactions-start-")
    try:
        os.makedirs(folder, exist_ok=True)
        if not os.path.exists(os.path.join(folder, "state/state.db")):
            generate(folder, options.actions, options.apps, settings)
        size = os.path.getsize(os.path.join(folder, "state/state.db")) / 1e6
        print(f"{options.actions} actions in {options.apps} apps, {size:.0f} MB of state", flush=True)
        seconds = []
        for _ in range(options.runs):
            daemon = Daemon(folder, settings)
            status = daemon.status()
            extensions = sum("EXTEND_TIMEOUT_USEC=" in message for message in daemon.messages)
            told = len(set(re.findall(r"STATUS=(.*)", "\n".join(daemon.messages))))
            print(f"  READY after {daemon.seconds_to_ready:.2f} s, {daemon.cpu_seconds:.2f} s of processor time; memory "
                  f"{daemon.resident:.0f} MB, at most {daemon.peak:.0f} MB; {extensions} extensions, {told} lines of "
                  f"progress", flush=True)
            seconds.append(daemon.seconds_to_ready)
            daemon.stop()
            if status["actions"] != options.actions or status["counters"]["uses"] != options.actions:
                sys.exit(f"start_times: {status['actions']} actions, {status['counters']['uses']} uses")
        print(f"  median {statistics.median(seconds):.2f} s")
    finally:
        if not options.folder:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
