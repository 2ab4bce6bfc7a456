#!/usr/bin/env python3
"""Kills the daemon at each of its file system calls in turn, and has each of them fail in turn.

usage: Tests/machines/faults.py [--count N | --all] [--jobs N] [--phase NAME] [--only CASE] [--list]

A case is PHASE/CALL/N/FAULT: strace lets the N-th CALL of a thread on the state's or the runtime folder fail, or kills
the daemon as it makes it. The phases: `first` starts in empty folders, `again` on a state that was left well,
`recovery` after a kill with an intake log and a write-ahead log that hold something, `repair` the same on a damaged
database, `torn` with a damaged intake log, `chain` after a start that could not store what it had recovered and so began
a second log, and `run` is everything after READY: events, commits, backup, snapshots, reload and stop. FAULT is KILL, or an
error's name for once, or with + for ever.

After each: it gets READY, or says why not and ends with 73, and then a start without a fault gets READY; the database
is sound; every use that the kernel has accepted is counted exactly once, whatever happened; `sync` says how it is; no
file is torn or left over; nothing hangs. In `run` the connection outlives the kill, and no fault ends the daemon.
"""
import argparse, collections, itertools, json, multiprocessing, os, random, re, shutil, signal, subprocess, sys, time, traceback
from machine import Ended, Failure, Site, quit_on_signals, temporary_folder

CALLS = ("openat mkdir chmod fchmod fchmodat rename renameat unlink unlinkat link fsync fdatasync syncfs write pwrite64 read pread64 "
         "ftruncate fallocate mmap fstat newfstatat readlink readlinkat flock fcntl getdents64 bind").split()
FOR_EVER = ("EIO+", "ENOSPC+", "EROFS+", "EDQUOT+")
FAULTS = ("KILL", "EIO", "ENOSPC", "EROFS", "EDQUOT", "EINTR", *FOR_EVER)
PHASES = ("first", "again", "recovery", "repair", "torn", "chain", "run")
SETTINGS = "[Snapshot]\nInterval=100ms\n[Storage]\nCommitInterval=100ms\nIntakeLogSize=8M\n[Ranking]\nLimit=%d\n"
# With these a commit of a whole batch stores what has come in, in place of what that has changed.
LARGE_COMMITS = "[Storage]\nLargeCommit=9\n"
RARE_COMMITS = SETTINGS.replace("CommitInterval=100ms", "CommitInterval=1h") + LARGE_COMMITS
# Five, so that a batch of all of their files shares one syncfs.
APPS = ("com.example.mail", "com.example.photos", "org.example.files", "org.example.maps", "org.example.notes")


class Uses:
    """What was sent, and how often each action is to be counted for it."""

    def __init__(self):
        self.actions = collections.Counter()
        self.lines = 0

    def copy(self):
        other = Uses()
        other.actions, other.lines = self.actions.copy(), self.lines
        return other

    def batch(self, number, size=12):
        """Lines of a batch, and takes note of them. The last one comes twice under one id, and counts once."""
        lines = []
        for index in range(size):
            app, kind, uses = APPS[index % len(APPS)], f"a{number}-{index % 4}", 1 + (number + index) % 7
            lines.append(f"{app}.{kind} n={uses}")
            self.actions[f"{app}|{app}.{kind}"] += uses
        lines += [f"{APPS[0]}.once n=3 id=batch{number}"] * 2
        self.actions[f"{APPS[0]}|{APPS[0]}.once"] += 3
        self.lines += size + 1
        return ("\n".join(lines) + "\n").encode()


def paths(site):
    """Everything in the two folders that strace is to look at."""
    database = ["state.db", "state.db.backup", "state.db.backup.new", "state.db.recovering", "state.db.recovered"]
    state = [name + suffix for name in database for suffix in ("", "-wal", "-shm", "-journal")]
    snapshots = [f"{base}.{kind}" for base in ("top", *(f"apps/{app}" for app in APPS)) for kind in ("json", "tsv")]
    temporary = [os.path.join(os.path.dirname(name), f".{os.path.basename(name)}.tmp") for name in snapshots]
    names = ["", "quickactionsd.lock", "snapshots", "snapshots/apps", *state,
             *(f"snapshots/{name}" for name in snapshots + temporary)]
    runtime = ["", "quickactionsd.lock", "intake.log", ".intake.log.tmp", "intake.log.next",
               ".intake.log.next.tmp", "events.sock", "events.dgram", "control.sock"]
    return [os.path.join(site.state, name).rstrip("/") for name in names] + \
        [os.path.join(site.runtime, name).rstrip("/") for name in runtime]


def strace(site, inject=None):
    # -I 2: a signal to strace ends the fault.
    words = ["strace", "-f", "-qq", "-I", "2", "-o", os.path.join(site.folder, "trace")]
    for path in paths(site):
        words += ["-P", path]
    if not inject:
        return words + ["-e", "trace=" + ",".join(CALLS)]
    call, number, fault = inject
    what = "signal=KILL" if fault == "KILL" else "error=" + fault.rstrip("+")
    when = f"{number}+" if fault.endswith("+") else str(number)
    return words + ["-e", "trace=" + call, "-e", f"inject={call}:{what}:when={when}"]


class Case:
    """One run of the scenario in a phase, with one fault or, to see which calls there are, with none."""

    def __init__(self, folder, templates, phase, inject):
        self.phase, self.inject = phase, inject
        self.fault = inject[2] if inject else None
        # Every other one meets commits that store what has come in.
        self.more = LARGE_COMMITS if inject and inject[1] % 2 == 0 else ""
        self.site = Site(folder, SETTINGS % 4 + self.more, managed=phase == "run")
        self.uses = templates.fill(self.site, phase)
        self.before = self.uses.copy().actions
        self.durable = None
        self.tracer = None
        self.deaths = 0
        self.refused_start = False
        self.sequence = 0

    # MARK: Steps that outlive a kill

    def await_(self, condition, seconds, what):
        """As `wait_until`; where the fault is a kill the daemon may be started anew meanwhile, once."""
        while True:
            try:
                return self.site.wait_until(condition, seconds, what)
            except Ended:
                self.recover_from_death(what)

    def recover_from_death(self, what):
        status = self.site.daemon.returncode
        if self.fault != "KILL" or status != -signal.SIGKILL or self.deaths:
            raise Failure(f"{what}: the daemon ended with {status}: {self.site.said()[-800:]}")
        self.deaths += 1
        self.site.start_and_wait()

    def ask(self, request):
        """Asks for the status, again if the daemon was killed over it."""
        while True:
            try:
                return self.site.status()
            except (Ended, OSError):
                self.site.daemon.wait(5)
                self.recover_from_death("status")

    def sync(self, must_be_durable):
        self.sequence += 1
        self.client.send(b'{"op":"sync","seq":%d}\n' % self.sequence)
        begin = time.monotonic()
        reply = self.await_(lambda: self.client.reply("sync", self.sequence) or self.client.is_at_end, 20, "answer to sync")
        if reply is True:
            raise Failure("a connection that the manager keeps broke")
        if time.monotonic() - begin > 6.5 and not self.deaths:
            raise Failure(f"sync took {time.monotonic() - begin:.1f} s")
        if not reply["durable"] and not reply.get("reason"):
            raise Failure(f"not durable, and no reason: {reply}")
        if must_be_durable and not reply["durable"]:
            raise Failure(f"nothing is wrong, and yet: {reply}")
        if reply["durable"]:
            self.durable = self.uses.copy()

    def connect(self):
        """A connection; where there is a manager, one that it keeps."""
        while True:
            try:
                self.client = self.site.connect()
                self.client.send(b"# hello\n")
                if self.phase != "run":
                    return
                name = self.await_(lambda: self.site.manager.kept or self.client_broke(), 10, "kept connection")
                if name is not True:
                    return
            except OSError:
                if self.site.daemon.poll() is None:
                    raise
                self.recover_from_death("connecting")

    def client_broke(self):
        self.client.reply("nothing")
        return self.client.is_at_end

    # MARK: The whole

    def run(self):
        try:
            if self.phase == "run":
                self.site.start_and_wait()
                self.attach()
                self.work()
            else:
                self.site.start(before=[*strace(self.site, self.inject), "-D"])
                if self.await_start():
                    self.work()
            self.look()
        finally:
            self.site.close()
        return self.injected()

    def attach(self):
        self.tracer = subprocess.Popen([*strace(self.site, self.inject), "-p", str(self.site.daemon.pid)],
                                       stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        tasks = f"/proc/{self.site.daemon.pid}/task"

        def attached():
            for task in os.listdir(tasks):
                with open(f"{tasks}/{task}/status") as file:
                    if "TracerPid:\t0\n" in file.read():
                        return False
            return True
        self.site.wait_until(attached, 60, "tracer")

    def detach(self):
        """The fault is over."""
        tracer = self.site.tracer()
        if tracer:
            os.kill(tracer, signal.SIGTERM)
            self.await_(lambda: self.site.tracer() != tracer, 10, "tracer's end")
        if self.tracer:
            self.tracer.wait(10)

    def await_start(self):
        """Whether the daemon serves. If it does not, the next start has to."""
        try:
            self.site.wait_ready()
            return True
        except Ended:
            status = self.site.daemon.returncode
        if self.fault == "KILL" and status == -signal.SIGKILL:
            self.deaths += 1
            self.site.start_and_wait()
            return True
        # SQLite takes an interrupted sync for a failed one; all else is to be tried again.
        is_interruption = self.fault == "EINTR" and self.inject[0] != "fdatasync"
        if status != 73 or self.fault in (None, "KILL") or is_interruption:
            raise Failure(f"at start the daemon ended with {status}: {self.site.said()[-800:]}")
        if not re.search(r"cannot|in use|not a|leads", self.site.said()):
            raise Failure(f"the daemon does not say why it can't start: {self.site.said()[-800:]!r}")
        self.refused_start = True
        self.site.start_and_wait()
        return True

    def work(self):
        # With a fault in place, or one that may still come, a sync may say no.
        is_well = self.fault in (None, "KILL")
        self.connect()
        self.client.send(self.uses.batch(1))
        self.sync(must_be_durable=is_well)
        if self.phase == "run":
            self.send_datagram(self.uses.batch(2))
            self.signal(signal.SIGUSR1)
            self.await_(self.is_published_or_says_why, 10, "snapshots")
            self.reload()
            self.client.send(self.uses.batch(3))
            self.sync(must_be_durable=is_well)
            self.client.send(self.uses.batch(4))
            self.await_(lambda: self.counted() == self.uses.lines, 10, "count")
        elif not is_well:
            self.client.send(self.uses.batch(5))
            self.await_(lambda: self.counted() == self.uses.lines, 10, "count")
        if self.fault and not is_well and (not self.fault.endswith("+") or self.inject[1] % 2 == 0):
            # The fault was for once, or is over now: everything is stored by itself.
            if self.fault.endswith("+"):
                self.detach()
            self.await_(lambda: self.is_well(), 10, "recovery by itself")
            self.sync(must_be_durable=not self.may_fail_still())
        self.stop()

    def may_fail_still(self):
        """Whether the one fault may not have come yet."""
        return not self.fault.endswith("+") and not self.injected()

    def send_datagram(self, lines):
        while True:
            try:
                return self.site.datagram(lines)
            except ConnectionError:
                self.recover_from_death("datagram")

    def signal(self, number):
        if self.site.daemon.poll() is None:
            self.site.daemon.send_signal(number)

    def reload(self):
        self.site.configure(SETTINGS % 5 + self.more)
        before = len(self.site.manager.heard)
        self.signal(signal.SIGHUP)
        self.await_(lambda: self.site.manager.has_heard("READY=1", before), 10, "READY=1 after a reload")

    def counted(self):
        return self.ask("status")["counters"]["accepted"]

    def is_published_or_says_why(self):
        return self.is_published() or self.ask("status")["snapshotError"]

    def is_published(self):
        rows = collections.Counter()
        for path, snapshot in self.site.snapshots().items():
            if path != "snapshots/top.json":
                for row in snapshot["dynamic"]:
                    target = "#" + row["target"] if row.get("target") else ""
                    rows[f"{snapshot['app']}|{row['type']}{target}"] = row["uses"]
        for app in APPS:
            best = [count for action, count in self.uses.actions.items() if action.startswith(app + "|")]
            shown = [count for action, count in rows.items() if action.startswith(app + "|")]
            if best and not shown:
                return False
        return bool(rows) and all(self.uses.actions[action] == count for action, count in rows.items())

    def is_well(self):
        status = self.ask("status")
        return status["storageError"] is None and status["snapshotError"] is None and self.is_published()

    def stop(self):
        while True:
            try:
                self.signal(signal.SIGTERM)
                status = self.site.wait_end(20)
                if status == -signal.SIGKILL and self.fault == "KILL":
                    self.recover_from_death("stop")
                    continue
                if status != 0:
                    raise Failure(f"stopped, the daemon ended with {status}: {self.site.said()[-800:]}")
                break
            except Ended:
                self.recover_from_death("stop")
        self.client.close()

    def look(self):
        """Starts without a fault, and looks whether everything is as it was promised."""
        self.first_words = self.site.said()
        # Where nothing could be stored from the start to the end there was no place for an intake log either: it says so.
        self.may_lose = self.fault in FOR_EVER and "is lost, as there is no intake log" in self.first_words
        self.site.start_and_wait()
        status = self.site.status()
        if not self.may_lose:
            self.site.wait_until(self.is_published, 10, "snapshots after the fault")
        self.site.stop()
        stored, _ = self.site.stored()
        if self.may_lose:
            kept, sent = self.durable.actions if self.durable else self.before, self.uses.actions
            if not all(kept[action] <= stored.get(action, 0) <= sent[action] for action in sent):
                raise Failure(f"less counted than was called durable, or more than was sent: {stored}, {kept}, {sent}")
        elif stored != dict(self.uses.actions):
            wrong = {action: (stored.get(action, 0), self.uses.actions[action])
                     for action in {*stored, *self.uses.actions} if stored.get(action, 0) != self.uses.actions[action]}
            kept = self.durable and all(stored.get(action, 0) >= count for action, count in self.durable.actions.items())
            raise Failure(f"counted is not what was sent (is, should be): {wrong}; "
                          f"what was called durable is {'all there' if kept else 'NOT all there'}")
        if not self.may_lose and status["counters"]["accepted"] != self.uses.lines:
            raise Failure(f"{status['counters']['accepted']} lines accepted, {self.uses.lines} sent")
        self.site.snapshots()
        # What can't be read at the start is taken for damaged, and that is said.
        may_repair = self.phase == "repair" or "set aside" in self.first_words and self.fault in ("EIO", "EIO+")
        repaired = (r"state/state\.db\.damaged-\d+(-\d+)?(-wal)?",) if may_repair else ()
        if self.phase == "torn":
            repaired += (r"run/intake\.log\.damaged-[-0-9T:Z]+",)
        stray = self.site.stray_files(repaired)
        if stray:
            raise Failure(f"left over: {stray}")

    def injected(self):
        """The calls that the fault met; a kill is met when it has killed."""
        if self.fault == "KILL":
            return ["killed"] * self.deaths
        try:
            with open(os.path.join(self.site.folder, "trace")) as file:
                return [line for line in file if "(INJECTED)" in line]
        except OSError:
            return []

    def calls(self):
        """How often the busiest thread has made each call."""
        counts = collections.Counter()
        with open(os.path.join(self.site.folder, "trace")) as file:
            for line in file:
                match = re.match(r"(\d+) +([a-z0-9]+)\(", line)
                if match:
                    counts[match.groups()] += 1
        most = collections.Counter()
        for (_, call), count in counts.items():
            most[call] = max(most[call], count)
        return most


class Templates:
    """Folders as each phase finds them, made once."""

    def __init__(self, folder):
        self.folder = folder
        self.uses = {"first": Uses()}
        site = Site(self.make("clean"), SETTINGS % 4)
        try:
            uses = Uses()
            site.start_and_wait()
            self.send(site, uses, 10)
            site.stop()
            self.uses["again"] = self.uses["run"] = uses
        finally:
            site.close()

        shutil.copytree(self.path("clean"), self.path("killed"), ignore=shutil.ignore_patterns("notify"))
        site = Site(self.path("killed"), RARE_COMMITS % 4)
        try:
            uses = uses.copy()
            site.start_and_wait()
            # As rows, then as it came in, and then in the intake log alone.
            self.send(site, uses, 11, size=3)
            self.send(site, uses, 14)
            client = site.connect()
            client.send(uses.batch(12))
            site.wait_until(lambda: site.status()["counters"]["accepted"] == uses.lines, 10, "count")
            site.kill()
            client.close()
            self.uses["recovery"] = uses
        finally:
            site.close()
        if not os.path.getsize(self.path("killed/state/state.db-wal")):
            raise Failure("the template's write-ahead log is empty")
        with open(self.path("killed/state/state.db-wal"), "rb") as file:
            if b"id=batch14\n" not in file.read():
                raise Failure("the template has no input that was stored as it came")
        self.damage()
        self.tear()
        self.fail(uses.copy())

    def tear(self):
        """An intake log whose last record is damaged, and what an undisturbed start makes of it."""
        self.copy("killed", self.path("torn"))
        with open(self.path("torn/run/intake.log"), "r+b") as file:
            end = len(file.read().rstrip(b"\0"))
            file.seek(end - 4)
            file.write(b"\xff\xff\xff\xff")
        self.copy("torn", self.path("mended"))
        self.uses["torn"] = self.found("mended")

    def fail(self, uses):
        """Two intake logs: a start that could not store the first, and was killed."""
        self.copy("killed", self.path("chain"))
        site = Site(self.path("chain"), SETTINGS % 4)
        try:
            site.start(before=["strace", "-D", "-f", "-qq", "-o", site.folder + "/trace", "-P", site.state + "/state.db-wal",
                               "-e", "trace=pwrite64", "-e", "inject=pwrite64:error=EIO:when=1+"])
            site.wait_ready()
            client = site.connect()
            client.send(uses.batch(13))
            site.wait_until(lambda: site.status()["counters"]["accepted"] == uses.lines, 10, "count")
            site.kill()
            client.close()
            self.uses["chain"] = uses
        finally:
            site.close()
        if not os.path.exists(self.path("chain/run/intake.log.next")):
            raise Failure("there is no second intake log")

    def found(self, name):
        """What an undisturbed start on damaged files comes to."""
        site = Site(self.path(name), SETTINGS % 4)
        try:
            site.start_and_wait()
            if "damaged" not in site.said():
                raise Failure(f"the damage was not noticed: {site.said()}")
            status = site.status()
            site.stop()
            known = Uses()
            known.actions.update(site.stored()[0])
            known.lines = status["counters"]["accepted"]
            return known
        finally:
            site.close()

    def damage(self):
        """A database with a page of zeros, and what an undisturbed start makes of it."""
        self.copy("killed", self.path("repair"))
        database = self.path("repair/state/state.db")
        with open(database + "-wal", "rb") as file:
            log = file.read()
        logged = {int.from_bytes(log[at:at + 4], "big") for at in range(32, len(log), 24 + 4096)}
        with open(database, "r+b") as file:
            page = next(page for page in range(2, os.path.getsize(database) // 4096 + 1) if page not in logged)
            file.seek(4096 * (page - 1))
            file.write(bytes(4096))
        self.copy("repair", self.path("repaired"))
        self.uses["repair"] = self.found("repaired")

    def path(self, name):
        return os.path.join(self.folder, name)

    def make(self, name):
        os.mkdir(self.path(name))
        return self.path(name)

    def copy(self, name, folder):
        os.makedirs(folder, exist_ok=True)
        for part in ("run", "state"):
            subprocess.run(["cp", "-a", self.path(f"{name}/{part}"), os.path.join(folder, part)], check=True)

    @staticmethod
    def send(site, uses, number, size=12):
        client = site.connect()
        client.send(uses.batch(number, size) + b'{"op":"sync"}\n')
        reply = site.wait_until(lambda: client.reply("sync"), 10, "sync")
        client.close()
        if not reply["durable"]:
            raise Failure(f"the template can't be stored: {reply}")

    def fill(self, site, phase):
        """Puts a phase's folders into a site."""
        if phase == "run":
            subprocess.run(["cp", "-a", self.path("clean/state"), site.state], check=True)
            os.unlink(os.path.join(site.state, "state.db.backup"))  # So that the next commit is followed by a backup.
        elif phase != "first":
            self.copy({"again": "clean", "recovery": "killed"}.get(phase, phase), site.folder)
        return self.uses[phase].copy()


# Calls that change nothing have no use for room, and some are never interrupted.
READING = ("flock", "fstat", "newfstatat", "getdents64", "mmap", "pread64", "read", "readlink", "readlinkat")
INTERRUPTED = ("fallocate", "fdatasync", "flock", "fsync", "ftruncate", "openat", "pread64", "pwrite64", "read", "syncfs", "write")


def faults_of(call):
    for fault in FAULTS:
        # Locks are no work of the disk's: a failing unlock would only be a fault of this test's.
        if call == "fcntl" and fault != "KILL":
            continue
        if call in READING and fault.rstrip("+") in ("ENOSPC", "EROFS", "EDQUOT"):
            continue
        if call not in INTERRUPTED and fault == "EINTR":
            continue
        yield fault


def cases_of(phase, calls):
    for call in CALLS:
        for number in range(1, calls[call] + 1):
            for fault in faults_of(call):
                yield phase, call, number, fault


def name_of(case):
    return "/".join(map(str, case))


def sample(cases, count):
    """So many of them, evenly."""
    return cases if count >= len(cases) else [cases[(2 * i + 1) * len(cases) // (2 * count)] for i in range(count)]


state = {}


def attempt(case):
    """Runs one case in a folder of its own; returns its name, how often the fault was met, how it went."""
    phase, *inject = case
    begin = time.monotonic()
    folder = os.path.join(state["folder"], f"case-{os.getpid()}")
    try:
        os.mkdir(folder)
        run = Case(folder, state["templates"], phase, inject)
        met = run.run()
        outcome = "refused" if run.refused_start else "lost" if run.may_lose else None
        return name_of(case), len(met), outcome, None, time.monotonic() - begin
    except Exception as error:
        text = f"{error}" if isinstance(error, Failure) else traceback.format_exc()
        return name_of(case), 1, None, text, time.monotonic() - begin
    finally:
        if not state["keeps"]:
            shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--phase", choices=PHASES)
    parser.add_argument("--only", help="one case by its name, or all whose name matches this expression")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--keep", action="store_true", help="show the traces and what the daemon wrote, for one case")
    options = parser.parse_args()
    quit_on_signals()
    begin = time.monotonic()
    with temporary_folder("faults") as folder:
        state.update(keeps=options.keep, folder=folder, templates=Templates(folder))
        cases = []
        for phase in PHASES if not options.phase else [options.phase]:
            os.mkdir(os.path.join(folder, "recording"))
            recording = Case(os.path.join(folder, "recording"), state["templates"], phase, None)
            recording.run()
            calls = recording.calls()
            cases += cases_of(phase, calls)
            if options.list:
                print(phase, " ".join(f"{call}:{count}" for call, count in calls.items()))
            shutil.rmtree(os.path.join(folder, "recording"))
        if options.only:
            cases = [case for case in cases if re.fullmatch(options.only, name_of(case))]
        if options.list:
            print(f"{len(cases)} cases")
            return
        chosen = cases if options.all or options.only else sample(cases, options.count)
        # In no order, so that a run that is interrupted has tried some of everything.
        random.Random(1).shuffle(chosen)
        failures, outcomes, met, kills, slowest = [], collections.Counter(), 0, 0, (0, "")
        tried = 0
        with multiprocessing.Pool(options.jobs, quit_on_signals) as pool:
            try:
                for name, times, outcome, failure, seconds in pool.imap_unordered(attempt, chosen):
                    tried += 1
                    met += times > 0
                    kills += name.endswith("KILL") and times > 0
                    outcomes[outcome] += 1
                    slowest = max(slowest, (seconds, name))
                    if failure:
                        failures.append(name)
                        print(f"FAILED {name}: {failure}", flush=True)
                pool.close()
            except SystemExit:
                pool.terminate()
            pool.join()
        if options.keep:
            subprocess.run(f"cat {folder}/case-*/trace; cat {folder}/case-*/stderr; ls -la {folder}/case-*/*", shell=True)
        print(f"faults: {tried} of {len(cases)} cases in {time.monotonic() - begin:.0f} s: the fault was met in {met}, "
              f"{kills} of them kills; {outcomes['refused']} starts refused with a reason; {outcomes['lost']} said what they lost; "
              f"{len(failures)} failed; "
              f"slowest {slowest[0]:.1f} s ({slowest[1]})")
        sys.exit(1 if failures or not met or tried < len(chosen) else 0)


if __name__ == "__main__":
    main()
