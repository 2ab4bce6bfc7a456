"""The programs that are measured, each started in a folder of its own and ended on every way out."""
import array, contextlib, functools, json, os, shutil, socket, sqlite3, subprocess, sys, threading, time

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.append(os.path.join(ROOT, "Tests/machines"))
import machine
from machine import Failure, memory_of, number_in_status, quit_on_signals

temporary_folder = functools.partial(machine.temporary_folder, "bench")


def built(name):
    """$QUICKACTIONSD or $LOADTOOL, or what `make` has built."""
    return os.path.abspath(os.environ.get(name.upper(), os.path.join(ROOT, ".build/release", name)))


def wait_until(condition, seconds, what):
    """Waits for a fact and returns it."""
    deadline = time.monotonic() + seconds
    while not (result := condition()):
        if time.monotonic() > deadline:
            raise Failure(f"no {what} within {seconds} s")
        time.sleep(0.002)
    return result


class Program:
    """A process whose costs are read from outside; `with` ends it."""

    def start(self, words, **how):
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, **how)

    def cpu_seconds(self):
        """CPU time of all its threads, those that have ended included."""
        return time.clock_gettime((~self.process.pid << 3) | 2)  # What clock_getcpuclockid makes of a process id.

    def memory(self, field="RssAnon"):
        return memory_of(self.process.pid, field)

    def wake_ups(self):
        tasks = f"{self.process.pid}/task"
        return sum(number_in_status(f"{tasks}/{task}", "voluntary_ctxt_switches") for task in os.listdir(f"/proc/{tasks}"))

    def stop(self, patience=600):
        """Ends it as an administrator would."""
        self.process.terminate()
        try:
            status = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            raise Failure(f"{type(self).__name__} does not end") from None
        if status != 0:
            raise Failure(f"{type(self).__name__} has ended with status {status}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Daemon(Program):
    """The daemon, ready when this returns."""

    def __init__(self, folder, settings="", patience=60, before=()):
        self.folder, self.settings = folder, settings
        with open(self.path("settings"), "w") as file:
            file.write(settings)
        self.notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.path("notify"))
        self.notices.bind(self.path("notify"))
        self.notices.settimeout(0.5)
        begin = time.perf_counter()
        with open(self.path("stderr"), "ab") as errors:
            self.start([*before, built("quickactionsd"), "--runtime-dir", self.path("run"), "--state-dir",
                        self.path("state"), "--config", self.path("settings")],
                       env=dict(os.environ, NOTIFY_SOCKET=self.path("notify")), stdout=errors, stderr=errors)
        try:
            self.await_ready(begin + patience)
        except BaseException:
            super().__exit__()
            raise
        self.seconds_to_ready = time.perf_counter() - begin
        # Notices go on to be read: some have descriptors with them, which would else stay open.
        self.reading = threading.Thread(target=self.read_notices, daemon=True)
        self.reading.start()
        self.events, self.datagrams = self.path("run/events.sock"), self.path("run/events.dgram")

    def await_ready(self, deadline):
        while True:
            with contextlib.suppress(TimeoutError):
                if b"READY=1" in self.notices.recv(65536).split(b"\n"):
                    return
            if self.process.poll() is not None or time.perf_counter() > deadline:
                with open(self.path("stderr"), errors="replace") as file:
                    raise Failure(f"the daemon does not get ready; it wrote: {file.read()[-600:]}")

    def read_notices(self):
        while self.process.returncode is None:
            with contextlib.suppress(TimeoutError):
                self.notices.recv(65536)

    def path(self, name):
        return os.path.join(self.folder, name)

    def ask(self, request, name="control.sock"):
        with socket.socket(socket.AF_UNIX) as control:
            control.connect(self.path("run/" + name))
            control.sendall(json.dumps(request).encode() + b"\n")
            return json.loads(control.makefile().readline())

    def status(self):
        return self.ask({"op": "status"})["status"]

    def check_totals(self, uses):
        """Whether so many lines were counted, one use each, and none was refused."""
        status = self.status()
        counters, refused = status["counters"], sum(status["refused"].values())
        if (counters["accepted"], counters["uses"], refused) != (uses, uses, 0):
            raise Failure(f"the daemon has accepted {counters['accepted']} lines with {counters['uses']} uses and refused "
                          f"{refused}; {uses} were sent")

    def sync(self):
        """Waits until all that was counted is stored; an answer that took over 5 s says that it is not yet."""
        wait_until(lambda: self.ask({"op": "sync"})["sync"]["durable"], 300, "durable state")

    def check_each(self, expected):
        """Kills the daemon once all is stored; whether another one finds each id's uses in what is on the disk alone."""
        self.sync()
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.path("run"))
        with Daemon(self.folder, self.settings, patience=300) as successor:
            successor.stop()
        with contextlib.closing(sqlite3.connect(self.path("state/state.db"))) as state:
            check_counts("the daemon", state.execute("SELECT action, uses FROM actions"), expected)

    def __exit__(self, *_):
        super().__exit__()
        self.reading.join()
        self.notices.close()


class Redis(Program):
    """A Redis server at a Unix socket, that stores nothing unless told to."""

    def __init__(self, folder, *options):
        self.socket = os.path.join(folder, "redis.sock")
        log = open(os.path.join(folder, "redis.log"), "ab")
        self.start(["redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", folder, "--save", "",
                    "--appendonly", "no", *options], stdout=log, stderr=log)
        log.close()
        try:
            wait_until(self.answers, 10, "answer of Redis")
        except BaseException:
            self.__exit__()
            raise

    def answers(self):
        if self.process.poll() is not None:
            raise Failure("redis-server has ended")
        with contextlib.suppress(OSError):
            return self.ask("PING").startswith(b"+PONG")

    def ask(self, *words, lines=1):
        """The bytes of a reply that has so many lines; with lines=None, all of an array's."""
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(self.socket)
            client.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word.encode()) for word in words))
            file = client.makefile("rb")
            first = file.readline()
            if first.startswith(b"-"):
                raise Failure(f"Redis says {first!r}")
            if first.startswith(b"$"):
                return file.read(int(first[1:]))
            if first.startswith(b"*"):
                return b"".join(file.readline() for _ in range(2 * int(first[1:])))
            return first

    def used_memory(self):
        words = self.ask("INFO", "memory").decode().split()
        return next(int(word.partition(":")[2]) for word in words if word.startswith("used_memory:"))

    def check(self, expected):
        """Whether the sorted set has each id's uses, and no other."""
        rows = self.ask("ZRANGE", "q", "0", "-1", "WITHSCORES").split(b"\r\n")[1::2]
        check_counts("Redis", zip(rows[0::2], map(int, rows[1::2])), expected)


def check_counts(who, rows, expected):
    found = array.array("I", bytes(4 * len(expected)))
    for name, uses in rows:
        found[int(name[-7:])] += uses
    if found != expected:
        wrong = [number for number, uses in enumerate(expected) if found[number] != uses]
        raise Failure(f"{who} has {sum(found)} uses of {sum(expected)}; wrong are {len(wrong)} of {len(expected)} ids, the first "
                      f"number {wrong[0]}: {found[wrong[0]]} in place of {expected[wrong[0]]}")


class Reader(Program):
    """The limit: a reader that counts line ends and does nothing else."""

    def __init__(self, folder, what, **options):
        self.socket = os.path.join(folder, "reader.sock")
        self.start([built("LoadTool"), what, *as_options(options, socket=self.socket)], stdout=subprocess.PIPE)
        if self.process.stdout.readline() != b"ready\n":
            raise Failure("the reader does not get ready")

    def finish(self):
        """What it has found, once the streams have ended."""
        output, _ = self.process.communicate(timeout=120)
        if self.process.returncode != 0:
            raise Failure("the reader has failed")
        return json.loads(output)


def as_options(*groups, **more):
    return [word for group in (*groups, more) for name, value in group.items() for word in (f"--{name}", str(value))]


def load(subcommand, *groups, **more):
    """Runs the load tool to its end; what it reports."""
    output = subprocess.run([built("LoadTool"), subcommand, *as_options(*groups, **more)], stdout=subprocess.PIPE,
                            stdin=subprocess.DEVNULL)
    if output.returncode != 0:
        raise Failure(f"the load tool has failed at {subcommand}")
    return json.loads(output.stdout) if output.stdout else None
