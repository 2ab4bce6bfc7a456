"""What the machines share: a daemon with a service manager of our own, its clients, and a folder that goes away.

Nothing here waits for time to pass: each wait is for a fact, and has a deadline.
"""
import array, contextlib, glob, json, os, re, select, shutil, signal, socket, sqlite3, subprocess, sys, tempfile, time

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))


def find_daemon():
    """$QUICKACTIONSD, or what `swift build` has made last."""
    if "QUICKACTIONSD" in os.environ:
        return os.path.abspath(os.environ["QUICKACTIONSD"])
    built = [path for path in (f"{ROOT}/.build/{kind}/quickactionsd" for kind in ("debug", "release"))
             if os.path.exists(path)]
    if not built:
        sys.exit("no daemon is built: swift build --product quickactionsd")
    return max(built, key=os.path.getmtime)


class Failure(Exception):
    """What was promised did not hold."""


class Ended(Exception):
    """The daemon has ended while something was awaited of it."""


def number_in_status(process, field):
    """The number that /proc/PROCESS/status has in a field."""
    with open(f"/proc/{process}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(field + ":"))


def memory_of(process, field="RssAnon"):
    """Bytes, anonymous ones unless another field is asked for."""
    return 1024 * number_in_status(process, field)


@contextlib.contextmanager
def temporary_folder(name, under=None):
    folder = tempfile.mkdtemp(prefix=f"quickactions-{name}-", dir=under)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def quit_on_signals():
    """Signals that end a program do so by way of its `finally` clauses, which no further one interrupts."""
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def end(number, frame):
        for each in signals:
            signal.signal(each, signal.SIG_IGN)
        raise SystemExit(128 + number)
    for each in signals:
        signal.signal(each, end)
    # Whoever starts this may have blocked them, and strace would inherit that.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


class Manager:
    """As much of a service manager as the daemon knows: notices, sockets that outlive it, kept descriptors."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "notify")
        self.notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notices.bind(self.path)
        self.notices.setblocking(False)
        self.listeners = []
        self.kept = []
        self.heard = []

    def listen(self, runtime):
        """Makes the three sockets, as socket units would."""
        for name, kind, label in (("events.sock", socket.SOCK_STREAM, "events"),
                                  ("events.dgram", socket.SOCK_DGRAM, "events"),
                                  ("control.sock", socket.SOCK_STREAM, "control")):
            listener = socket.socket(socket.AF_UNIX, kind)
            listener.bind(os.path.join(runtime, name))
            if kind == socket.SOCK_STREAM:
                listener.listen(128)
            self.listeners.append((label, listener))

    def passed(self):
        """Names and descriptors for the next start."""
        return [(name, listener.fileno()) for name, listener in self.listeners] + self.kept

    def pump(self, patience=0.0):
        """Takes in the notices that wait, or the first that comes."""
        if patience:
            select.select([self.notices], [], [], patience)
        while True:
            try:
                data, ancillary, _, _ = self.notices.recvmsg(65536, socket.CMSG_SPACE(64 * 4))
            except BlockingIOError:
                return
            numbers = array.array("i")
            for level, kind, content in ancillary:
                if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                    numbers.frombytes(content[:len(content) - len(content) % numbers.itemsize])
            lines = data.decode().split("\n")
            self.heard.append((time.monotonic(), lines))
            fields = dict(line.partition("=")[::2] for line in lines)
            if "FDSTORE" in fields:
                self.kept += [(fields["FDNAME"], number) for number in numbers]
            else:
                for number in numbers:
                    os.close(number)
            if "FDSTOREREMOVE" in fields:
                for name, number in self.kept:
                    if name == fields["FDNAME"]:
                        os.close(number)
                self.kept = [entry for entry in self.kept if entry[0] != fields["FDNAME"]]

    def has_heard(self, line, since=0):
        return any(line in lines for _, lines in self.heard[since:])

    def close(self):
        self.notices.close()
        for _, listener in self.listeners:
            listener.close()
        for _, number in self.kept:
            os.close(number)
        self.kept = []


class Site:
    """Folders, settings and a manager; and one daemon at a time in them."""

    def __init__(self, folder, settings="", managed=False):
        self.folder = folder
        self.runtime, self.state = os.path.join(folder, "run"), os.path.join(folder, "state")
        self.settings = os.path.join(folder, "settings")
        self.errors = os.path.join(folder, "stderr")
        self.manager = Manager(folder)
        if managed:
            os.makedirs(self.runtime, exist_ok=True)
            self.manager.listen(self.runtime)
        self.configure(settings)
        self.daemon = None
        open(self.errors, "w").close()

    def configure(self, settings):
        with open(self.settings, "w") as file:
            file.write(settings)

    def start(self, before=(), environment=None):
        """Starts the daemon, behind the words of `before`; they must leave it the process that is started here."""
        self.started_at = len(self.manager.heard)
        self.errors_at = os.path.getsize(self.errors)
        passed = self.manager.passed()
        changes = dict(environment or {}, NOTIFY_SOCKET=self.manager.path, SWIFT_BACKTRACE="enable=no")

        def prepare():
            high = [os.dup2(number, 400 + index) for index, (_, number) in enumerate(passed)]
            for index, number in enumerate(high):
                os.dup2(number, 3 + index)
                os.close(number)
            os.environ.update(changes)
            if passed:
                os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(passed)),
                                  LISTEN_FDNAMES=":".join(name for name, _ in passed))

        with open(self.errors, "ab") as errors:
            self.daemon = subprocess.Popen(
                [*before, find_daemon(), "--runtime-dir", self.runtime, "--state-dir", self.state,
                 "--config", self.settings],
                stdin=subprocess.DEVNULL, stdout=errors, stderr=errors, close_fds=False, preexec_fn=prepare)

    def said(self):
        """What the daemon that was started last has written."""
        with open(self.errors, errors="replace") as file:
            file.seek(self.errors_at)
            return file.read()

    # MARK: Waiting

    def wait_until(self, condition, seconds, what):
        """Waits for a fact; Ended if the daemon ends before it is one."""
        deadline = time.monotonic() + seconds
        while True:
            self.manager.pump()
            result = condition()
            if result:
                return result
            if self.daemon.poll() is not None:
                raise Ended(f"waiting for {what}")
            if time.monotonic() > deadline:
                raise Failure(f"no {what} within {seconds} s; it wrote: {self.said()[-600:]!r}")
            self.manager.pump(0.005)

    def wait_ready(self, seconds=15):
        self.wait_until(lambda: self.manager.has_heard("READY=1", self.started_at), seconds, "READY=1")

    def wait_end(self, seconds=15):
        """The daemon's exit status, negative for a signal."""
        deadline = time.monotonic() + seconds
        while self.daemon.poll() is None:
            if time.monotonic() > deadline:
                raise Failure(f"it has not ended within {seconds} s; it wrote: {self.said()[-600:]!r}")
            self.manager.pump(0.002)
        self.manager.pump()
        return self.daemon.returncode

    def start_and_wait(self, **how):
        self.start(**how)
        try:
            self.wait_ready()
        except Ended:
            raise Failure(f"the daemon ended with {self.daemon.returncode} at a start that must succeed: {self.said()}")

    def stop(self, seconds=15):
        self.daemon.send_signal(signal.SIGTERM)
        status = self.wait_end(seconds)
        if status != 0:
            raise Failure(f"stopped, the daemon ended with {status}: {self.said()[-600:]}")

    def kill(self):
        if self.daemon and self.daemon.poll() is None:
            self.daemon.kill()
            self.daemon.wait(30)

    def close(self):
        tracer = self.tracer()
        if tracer:
            with contextlib.suppress(ProcessLookupError):
                os.kill(tracer, signal.SIGKILL)
        self.kill()
        self.manager.close()

    def tracer(self):
        """The process that traces the daemon; 0 if none does."""
        try:
            return number_in_status(self.daemon.pid, "TracerPid")
        except (OSError, AttributeError, StopIteration):
            return 0

    # MARK: Asking

    def connect(self, name="events.sock"):
        client = socket.socket(socket.AF_UNIX)
        try:
            client.connect(os.path.join(self.runtime, name))
        except OSError:
            client.close()
            raise
        client.setblocking(False)
        return Client(client)

    def status(self, seconds=10):
        """The daemon's own counters."""
        client = self.connect("control.sock")
        try:
            client.send(b'{"op":"status"}\n')
            return self.wait_until(lambda: client.reply("status"), seconds, "answer to status")
        finally:
            client.close()

    def datagram(self, lines):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as client:
            client.settimeout(10)
            client.sendto(lines, os.path.join(self.runtime, "events.dgram"))

    # MARK: Looking

    def stored(self):
        """What the database holds, by (app, action), and its integrity; for a stopped daemon."""
        # Without a log beside it the file is complete, and is to be read without making one.
        how = "mode=ro" if os.path.exists(f"{self.state}/state.db-wal") else "immutable=1"
        with contextlib.closing(sqlite3.connect(f"file:{self.state}/state.db?{how}", uri=True)) as database:
            check = database.execute("PRAGMA integrity_check").fetchall()
            if check != [("ok",)]:
                raise Failure(f"integrity_check says {check[:3]}")
            uses = {(row[0] + "|" + row[1]): row[2] for row in database.execute("SELECT app, action, uses FROM actions")}
            totals = dict(database.execute("SELECT name, value FROM totals"))
        return uses, totals

    def snapshots(self):
        """Each snapshot by its path; a Failure if one is torn."""
        found = {}
        for path in glob.glob(f"{self.state}/snapshots/**/*.json", recursive=True):
            with open(path, "rb") as file:
                content = file.read()
            try:
                found[os.path.relpath(path, self.state)] = json.loads(content, parse_constant=refuse_constant)
            except ValueError as error:
                raise Failure(f"{path} is torn: {error}: {content[:200]!r}")
        return found

    def stray_files(self, allowed=()):
        """Files that have no business in the folders of a daemon that has stopped."""
        known = re.compile(
            r"state/(quickactionsd\.lock|state\.db(\.backup)?|snapshots/top\.(json|tsv)|snapshots/apps/[^./][^/]*\.(json|tsv))"
            r"|run/(quickactionsd\.lock|events\.sock|events\.dgram|control\.sock)")
        stray = []
        for top in (self.runtime, self.state):
            for folder, _, names in os.walk(top):
                for name in names:
                    path = os.path.relpath(os.path.join(folder, name), self.folder)
                    if not known.fullmatch(path) and not any(re.fullmatch(form, path) for form in allowed):
                        stray.append(path)
        return stray


def refuse_constant(name):
    raise ValueError(f"{name} is no number")


class Client:
    """One connection, whose replies are collected."""

    def __init__(self, raw):
        self.raw = raw
        self.buffer = b""
        self.replies = []
        self.is_at_end = False

    def send(self, data, seconds=10):
        """Sends everything; returns how many bytes the kernel took."""
        deadline, done = time.monotonic() + seconds, 0
        while done < len(data):
            try:
                done += self.raw.send(data[done:])
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise Failure(f"nobody reads: {done} of {len(data)} bytes were taken in {seconds} s")
                select.select([], [self.raw], [], 0.05)
        return done

    def reply(self, key, seq=None):
        """The reply of a kind, once it is there."""
        while not self.is_at_end:
            try:
                data = self.raw.recv(65536)
            except BlockingIOError:
                break
            except ConnectionError:
                data = b""
            if not data:
                self.is_at_end = True
            self.buffer += data
            *lines, self.buffer = self.buffer.split(b"\n")
            self.replies += [json.loads(line) for line in lines]
        for reply in self.replies:
            if key in reply and (seq is None or reply[key].get("seq") == seq):
                return reply[key]
        return None

    def close(self):
        self.raw.close()
