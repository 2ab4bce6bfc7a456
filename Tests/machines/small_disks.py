#!/usr/bin/env python3
"""Gives the daemon state and runtime folders that are too small, then room, and looks that nothing is lost.

usage: Tests/machines/small_disks.py [--count N | --all]

The state lies on a tmpfs of 4, 8, 12 … KiB, up to where all fits, or of 16 inodes, or on one that something else fills
up; the runtime folder on one that has no room for the intake log. A start may be refused with 73 and a reason. While the
state can't be stored counting goes on, `sync` says so, and the files that are there stay whole; once there is room
everything is stored by itself, and every event is counted once. Mounts are in a namespace of this program's own.
"""
import argparse, collections, os, re, subprocess, sys, time
from machine import Ended, Failure, Site, quit_on_signals, temporary_folder

SETTINGS = "[Snapshot]\nInterval=100ms\n[Storage]\nCommitInterval=100ms\nIntakeLogSize=8M\n"
STEP, LARGEST = 4, 640  # KiB; the load below needs less than the latter.
BATCHES, LINES = 6, 120


def mount(path, options):
    os.makedirs(path, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", options + ",mode=0700", "tmpfs", path], check=True)


def remount(path, options):
    subprocess.run(["mount", "-o", "remount," + options, path], check=True)


class Trial:
    def __init__(self, folder, kind, size):
        # Every other one meets commits that store what has come in, in place of what that has changed.
        self.site = Site(folder, SETTINGS + ("LargeCommit=20\n" if size % (2 * STEP) else ""))
        self.kind, self.size = kind, size
        self.sent = collections.Counter()
        self.refused = self.failed = False

    def prepare(self):
        site = self.site
        if self.kind == "runtime":
            mount(site.runtime, f"size={self.size}k")
        elif self.kind == "inodes":
            mount(site.state, f"size=64m,nr_inodes={self.size}")
        else:
            mount(site.state, f"size={self.size}k")

    def make_room(self):
        if self.kind == "filled":
            os.unlink(os.path.join(self.site.state, "ballast"))
        elif self.kind != "runtime":
            remount(self.site.state, "size=64m,nr_inodes=10000")

    def fill(self):
        with open(os.path.join(self.site.state, "ballast"), "wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError:
                pass

    def run(self):
        site = self.site
        self.prepare()
        try:
            site.start()
            try:
                site.wait_ready()
            except Ended:
                self.note_refusal()
                self.make_room()
                site.start_and_wait()
            client = site.connect()
            for batch in range(BATCHES):
                if batch == 2 and self.kind == "filled":
                    self.fill()
                self.send(client, batch)
                # Snapshots of what has come so far are under way while the next batch comes.
            status = site.status()
            site.snapshots()
            self.failed |= bool(status["storageError"] or status["snapshotError"])
            if not self.refused:
                self.make_room()

            def is_well():
                status = site.status()
                return status["storageError"] is None and status["snapshotError"] is None and len(site.snapshots()) > 10
            site.wait_until(is_well, 10, "recovery by itself")
            self.send(client, BATCHES, must_be_durable=True)
            client.close()
            site.stop()
            stored, _ = site.stored()
            if stored != dict(self.sent):
                raise Failure(f"{sum(stored.values())} uses stored, {sum(self.sent.values())} sent")
            site.snapshots()
            if site.stray_files():
                raise Failure(f"left over: {site.stray_files()}")
        finally:
            site.close()
            subprocess.run(["umount", "-l", site.runtime if self.kind == "runtime" else site.state], check=True)

    def note_refusal(self):
        if self.site.daemon.returncode != 73 or not re.search("cannot", self.site.said()):
            raise Failure(f"at start the daemon ended with {self.site.daemon.returncode}: {self.site.said()[-500:]!r}")
        self.refused = True

    def send(self, client, batch, must_be_durable=False):
        lines = []
        for line in range(LINES):
            app = f"com.example.app{(batch * LINES + line) % 12}"
            action = f"{app}.a-rather-long-name-of-an-action-{batch}-{line}"
            lines.append(action)
            self.sent[f"{app}|{action}"] += 1
        client.send(("\n".join(lines) + '\n{"op":"sync","seq":%d}\n' % batch).encode())
        reply = self.site.wait_until(lambda: client.reply("sync", batch), 8, "answer to sync")
        if not reply["durable"]:
            self.failed = True
            if not reply.get("reason") or must_be_durable:
                raise Failure(f"sync says {reply}")
        if reply["accepted"] != sum(self.sent.values()):
            raise Failure(f"counting does not go on: {reply}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=16, help="how many sizes of the state's folder are tried")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--in-namespace", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.in_namespace:
        unshare = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
        os.execvp("unshare", [*unshare, sys.executable, os.path.abspath(__file__), "--in-namespace", *sys.argv[1:]])
    quit_on_signals()
    sizes = list(range(STEP, LARGEST + 1, STEP))
    if not options.all:
        sizes = [sizes[(2 * i + 1) * len(sizes) // (2 * options.count)] for i in range(min(options.count, len(sizes)))]
    trials = [("state", size) for size in sizes]
    trials += [("inodes", 16), ("inodes", 30), ("filled", 2048), ("filled", 4096)]
    trials += [("runtime", size) for size in (4, 64, 4096, 5000, 8192, 9000)]
    counts, failures, begin = collections.Counter(), 0, time.monotonic()
    for kind, size in trials:
        with temporary_folder("small-disks") as folder:
            trial = Trial(folder, kind, size)
            try:
                trial.run()
            except Failure as failure:
                failures += 1
                print(f"FAILED {kind} {size}: {failure}", flush=True)
            except Ended as ended:
                failures += 1
                print(f"FAILED {kind} {size}: {ended}: the daemon ended with {trial.site.daemon.returncode}: "
                      f"{trial.site.said()[-800:]}", flush=True)
            counts["refused" if trial.refused else "full" if trial.failed else "enough"] += 1
    print(f"small disks: {len(trials)} in {time.monotonic() - begin:.0f} s: {counts['refused']} starts refused with a reason, "
          f"{counts['full']} full while it ran, {counts['enough']} with room enough; {failures} failed")
    sys.exit(1 if failures or not counts["refused"] or not counts["full"] or not counts["enough"] else 0)


if __name__ == "__main__":
    main()
