#!/usr/bin/env python3
"""Keeps all of many actions in use at full speed, and prints for how long the event loop ever stalled and how late the
snapshots were.

usage: Tests/machines/stalls.py [--actions N] [--apps N] [--intervals N] [--interval SECONDS] [--under FOLDER]
                               [--pause SECONDS]

Each pass uses every action once, so in the end every action has as many uses as there were passes: the daemon's counts,
the files of all apps and the database have to say so exactly. The times are the daemon's own, from its status; beside
them stands the longest wait for an answer to `status`, asked for all the time. No time decides whether this succeeds.
"""
import argparse, contextlib, json, os, select, signal, socket, sys, time
from machine import Failure, Site, quit_on_signals, temporary_folder


def lines(actions, apps):
    """One use of each action, app after app in turn, so that all apps change all the time."""
    return b"".join(b"com.example.app%05d.act%05d\n" % (n % apps, n // apps) for n in range(actions))


def send(path, data, stop, pause):
    """A process of its own that sends one pass after the other until `stop` is readable; then a sync."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(path)
        passes = 0
        while passes == 0 or not select.select([stop], [], [], 0)[0]:
            client.sendall(data)
            passes += 1
            time.sleep(pause)
        client.sendall(b'{"op":"sync"}\n')
        answer = b""
        while not answer.endswith(b"\n"):
            part = client.recv(65536)
            if not part:
                return None
            answer += part
        return passes, json.loads(answer)["sync"]


class Sender:
    """The process that sends, and what it says in the end."""

    def __init__(self, path, data, pause):
        self.stop_reading, self.stopping = os.pipe()
        self.result, writing = os.pipe()
        self.child = os.fork()
        if self.child == 0:
            try:
                os.write(writing, json.dumps(send(path, data, self.stop_reading, pause)).encode())
            finally:
                os._exit(0)
        os.close(writing)
        os.close(self.stop_reading)
        os.set_blocking(self.result, False)

    def stop(self):
        os.write(self.stopping, b"x")

    def said(self):
        """How many passes there were and the answer to the sync, once it is known."""
        if not select.select([self.result], [], [], 0)[0]:
            return None
        text = os.read(self.result, 65536)
        return json.loads(text) if text else None

    def close(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.stopping)
        os.close(self.result)


def check_files(site, apps, passes):
    """Whether each app has its file, and all that this shows has been used in each pass; torn files are a Failure."""
    found = site.snapshots()
    del found["snapshots/top.json"]
    if len(found) != apps:
        return False
    return all(row["uses"] == passes for snapshot in found.values() for row in snapshot["shortcuts"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--actions", type=int, default=1_000_000)
    parser.add_argument("--apps", type=int, default=10_000)
    parser.add_argument("--intervals", type=int, default=20)
    parser.add_argument("--interval", type=float, default=5)
    parser.add_argument("--pause", type=float, default=0, help="between two passes: a debug build counts slowly")
    parser.add_argument("--verbose", action="store_true", help="say when longer stalls came up")
    parser.add_argument("--under", help="where the state lies; /dev/shm leaves the disk out")
    options = parser.parse_args()
    quit_on_signals()
    # What else the machine does is not what is measured.
    with contextlib.suppress(OSError):
        os.nice(-15)
    settings = (f"[Snapshot]\nInterval={int(options.interval * 1000)}ms\n[Storage]\nIntakeLogSize=256M\n"
                f"[Ranking]\nMaxActions={2 * options.actions}\n")
    data = lines(options.actions, options.apps)
    patience = 60 + options.actions / 2000
    # The intake log is in memory where the daemon is at home, the state on a disk.
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with temporary_folder("stalls", options.under) as folder, temporary_folder("stalls", memory) as runtime:
        site, sender = Site(folder, settings), None
        site.runtime = runtime
        try:
            site.start_and_wait()
            control = site.connect("control.sock")
            begin, answers, stalls = time.monotonic(), [], []
            sender = Sender(os.path.join(site.runtime, "events.sock"), data, options.pause)

            def ask():
                control.replies.clear()
                asked = time.perf_counter()
                control.send(b'{"op":"status"}\n')
                answer = site.wait_until(lambda: control.reply("status"), 120, "answer to status")
                answers.append(time.perf_counter() - asked)
                stall = answer["loop"]["longestStallMilliseconds"]
                if not stalls or stall > stalls[-1][1]:
                    stalls.append((time.monotonic() - begin, stall, answer["actions"]))
                return answer

            status = ask()
            while status["snapshots"]["planned"] < options.intervals:
                status = ask()
                time.sleep(0.002)
            loaded = time.monotonic() - begin
            sender.stop()
            passes, sync = site.wait_until(sender.said, patience, "end of the last pass")
            took = time.monotonic() - begin
            if not sync["durable"]:
                print(f"stalls: the last sync was not safe in time: {sync.get('reason')}", file=sys.stderr)
            sent = passes * options.actions
            final = ask()
            counters = final["counters"]
            if (sync["accepted"], counters["accepted"], counters["uses"]) != (sent, sent, sent):
                raise Failure(f"{sent} uses were sent, but counted were {sync} and {counters}")
            if (final["actions"], final["apps"]) != (options.actions, options.apps):
                raise Failure(f"there are {final['actions']} actions in {final['apps']} apps")
            site.wait_until(lambda: check_files(site, options.apps, passes), patience, "files that show the final state")
            site.stop(patience)
            uses, _ = site.stored()
            if len(uses) != options.actions or set(uses.values()) != {passes}:
                raise Failure(f"{len(uses)} actions are stored, with {sorted(set(uses.values()))[:5]} uses, not {passes}")
        finally:
            if sender:
                sender.close()
            site.close()
    answers.sort()
    snapshots = status["snapshots"]
    late, written = snapshots["lateness"], snapshots["untilWritten"]
    if options.verbose:
        for at, stall, known in stalls:
            print(f"  after {at:.2f} s, with {known} actions: longest stall so far {stall:.1f} ms")
    print(f"stalls: {options.actions} actions in {options.apps} apps, all in use for {loaded:.0f} s: {sent} uses, "
          f"{sent / took / 1e6:.2f} million a second until they were durable; longest stall of the loop "
          f"{status['loop']['longestStallMilliseconds']:.1f} ms; longest wait for a status {answers[-1] * 1000:.1f} ms "
          f"(median {answers[len(answers) // 2] * 1000:.1f} ms); {snapshots['planned']} rounds planned every "
          f"{options.interval:g} s began at most {late['maxMilliseconds']:.1f} ms late (p99.9 {late['p999Milliseconds']:.1f} ms) "
          f"and were written after {written['p50Milliseconds']:.0f} ms, at most {written['maxMilliseconds']:.0f} ms; "
          f"{counters['commits']} commits, the log was full {counters['intakeLogFull']} times; all counts, files and rows are exact")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"stalls: {failure}")
