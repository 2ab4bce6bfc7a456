"""Kills the daemon at random moments under load, under systemd, and compares what the kernel took with what is counted.

usage: kill.py LOOPS [SEED] [RATE]          started by kill.sh in the machine of run-under-systemd.sh

Lost is a use that is missing although the kernel took its line, on a datagram or on a connection that went on; twice is
one that was counted more often than sent, on any connection. Connections that were accepted in the very turn of a kill,
so that systemd had no copy of them, are counted apart: none of their lines may be counted twice.
"""
import json, os, random, signal, socket, subprocess, sys, time

import load

SERVICE = "quickactions.service"
DATABASE = "/var/lib/quickactions/state.db"
CHECK_EVERY = 50


def show():
    words = subprocess.run(["systemctl", "show", "-p", "MainPID,SubState,NRestarts", SERVICE], capture_output=True, text=True)
    return dict(line.split("=", 1) for line in words.stdout.split())


def fail(why):
    print(f"FAILED: {why}", flush=True)
    subprocess.run(["journalctl", "-b", "-o", "short-precise", "--no-pager", "-n", "60", "-u", SERVICE])
    sys.exit(1)


class Machine:
    def __init__(self, loops, seed, rate):
        self.rng = random.Random(seed)
        self.loops = loops
        self.orders, theirs = socket.socketpair()
        self.reader = self.orders.makefile("r")
        if os.fork() == 0:
            self.orders.close()
            load.run(seed + 1, rate, theirs)
        theirs.close()
        self.pid = 0
        self.ready_times = []

    def order(self, what, **more):
        self.orders.sendall(json.dumps({"do": what, **more}).encode() + b"\n")
        line = self.reader.readline()
        if not line:
            fail("the load has ended")
        return json.loads(line)

    def wait_for(self, is_there, what):
        """Waits for another main process that `is_there` is content with."""
        end = time.monotonic() + 30
        while True:
            now = show()
            pid = int(now["MainPID"])
            if pid not in (0, self.pid) and is_there(now):
                return pid
            if time.monotonic() > end:
                fail(f"not within 30 s: {what}; {now}")

    def wait_until_ready(self):
        begin = time.monotonic()
        self.pid = self.wait_for(lambda now: now["SubState"] == "running", "the daemon is ready")
        self.ready_times.append(time.monotonic() - begin)

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)
        self.order("killed", at=time.monotonic())

    def loop(self):
        self.order("half lines")
        time.sleep(self.rng.uniform(0, 0.2))
        kind = self.rng.random()
        if kind < 0.25:
            # Stopped, it can't read what is sent before they close.
            os.kill(self.pid, signal.SIGSTOP)
            self.order("close some")
        elif kind < 0.5:
            self.order("close some")
        elif kind < 0.75:
            self.order("open some")
            time.sleep(self.rng.uniform(0, 0.002))
        self.kill()
        if kind > 0.85:
            # Once more, while it starts.
            self.pid = self.wait_for(lambda now: True, "another process")
            time.sleep(self.rng.uniform(0, 0.08))
            self.kill()
        self.wait_until_ready()
        self.order("other halves")

    def run(self):
        self.wait_until_ready()
        self.order("go on")
        begin, settled = time.monotonic(), 0
        for number in range(1, self.loops + 1):
            self.loop()
            if number % CHECK_EVERY == 0 or number == self.loops:
                since = time.monotonic()
                account = self.order("settle")
                took = settled
                settled += time.monotonic() - since
                self.compare(account, number, time.monotonic() - begin, time.monotonic() - begin - settled)
                self.order("go on")

    def compare(self, account, loops, seconds, loaded):
        wrong = account["wrong"]
        if "status" not in account:
            fail("\n".join(wrong))
        rows = subprocess.run(["sqlite3", "-readonly", "-separator", "\t", DATABASE,
                               f"SELECT action, uses FROM actions WHERE app = '{load.APP}'"],
                              capture_output=True, text=True, check=True).stdout
        counted = {action: int(uses) for action, uses in (line.rsplit("\t", 1) for line in rows.splitlines())}
        lost = twice = unread = endless = broken_uses = 0
        kills = account["kill_times"]
        for action, sent in account["exact"].items():
            uses = counted.pop(action, 0)
            lost += max(sent - uses, 0)
            twice += max(uses - sent, 0)
            if uses != sent:
                wrong.append(f"{action}: {sent} sent, {uses} counted")
        for action, sent in account["atmost"].items():
            uses = counted.pop(action, 0)
            broken_uses += uses
            twice += max(uses - sent, 0)
            if uses > sent:
                wrong.append(f"{action}, of a broken connection: {sent} sent, {uses} counted")
        for action, sent, opened, before in account["shorts"]:
            uses = counted.pop(action, 0)
            broken_uses += uses
            if uses == sent:
                continue
            twice += max(uses - sent, 0)
            # It may have been accepted and not yet read when a kill came: then nothing of it is known. Or it was read,
            # but not its end: then it can't be told from one that broke within its last line.
            if uses in (0, sent - 1) and any(0 < kill - opened < 10 for kill in kills[max(before - 1, 0):before + 2]):
                unread += uses == 0
                endless += uses > 0
            else:
                lost += max(sent - uses, 0)
                wrong.append(f"{action}, of a short connection: {sent} sent, {uses} counted")
        for action in counted:
            wrong.append(f"{action} was never sent")
        status = account["status"]
        counters = status["counters"]
        lines = account["lines"] + broken_uses
        for name, expected in [("accepted", lines), ("datagrams", account["datagrams"]), ("unknownRests", 0)]:
            if counters[name] != expected:
                wrong.append(f"status says {name} {counters[name]}, and {expected} is right")
        if status["refused"]["invalidCount"] != account["refused"]:
            wrong.append(f"status says {status['refused']['invalidCount']} refused, and {account['refused']} is right")
        errors = subprocess.run(["journalctl", "-b", "-p", "err", "-o", "cat", "--no-pager", "-t", "quickactionsd"],
                                capture_output=True, text=True).stdout
        if errors.strip():
            wrong.append("the daemon's errors: " + errors.strip())
        waits = sorted(self.ready_times)
        print(f"kill: {loops} loops, {lines} events, {account['survived']} streams survived, "
              f"{account['broken'] + unread + endless} connections broken apart, lost {lost}, twice {twice}", flush=True)
        print(f"      {len(kills)} kills in {seconds:.0f} s, {lines / max(loaded, 0.001):.0f} events a second; "
              f"{account['survivals']} times a stream outlived one; {account['lateClosed']} closed just before one, "
              f"{account['halfClosed']} half; {account['crossedSyncs']} syncs answered by a later process, "
              f"{account['twiceAnswered']} twice; {account['resent']} connections sent again what had an id; "
              f"at most {account['mostOpen']} streams at once; apart {account['broken']} broke for their client, {unread} had closed unread, {endless} without the end read; "
              f"ready again after {waits[len(waits) // 2] * 1000:.0f} ms, at most {waits[-1] * 1000:.0f}", flush=True)
        if wrong:
            fail(f"{len(wrong)} things are wrong:\n" + "\n".join(wrong[:40]) + f"\n{counters}")


loops = int(sys.argv[1])
seed = int(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2] else random.SystemRandom().randrange(1 << 30)
rate = float(sys.argv[3]) if len(sys.argv) > 3 else 100_000
print(f"seed {seed}", flush=True)
Machine(loops, seed, rate).run()
