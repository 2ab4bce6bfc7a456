"""The load of kill.py: streams and datagrams at a steady rate, and an exact account of what the kernel took of them.

Every connection uses actions of its own, so the database shows what became of each. All of them belong to one app.
"""
import bisect, json, os, random, select, socket, time

RUN = "/run/quickactions/"
EVENTS, DATAGRAMS, CONTROL = RUN + "events.sock", RUN + "events.dgram", RUN + "control.sock"
APP = "kill"
STREAMS = 20
HALVES = 5
# Systemd keeps 512, and one that has closed counts until the daemon comes to its end.
MOST_OPEN = 256


class Block:
    """Lines that a connection sends round and round, and what they come to up to any byte."""

    def __init__(self, lines):
        """lines: (text with its line end, action or None, uses); an action of "!" is a refused line."""
        self.bytes = b"".join(text for text, _, _ in lines)
        self.lines = lines
        self.ends = []
        end = 0
        for text, _, _ in lines:
            end += len(text)
            self.ends.append(end)

    def count(self, sent):
        """What `sent` bytes of it come to: accepted lines, uses by action, refused lines, whole lines of any kind."""
        rounds, rest = divmod(sent, len(self.bytes))
        whole = bisect.bisect_right(self.ends, rest)
        accepted = refused = 0
        uses = {}
        for index, (_, action, count) in enumerate(self.lines):
            times = rounds + (index < whole)
            if action == "!":
                refused += times
            elif action is not None:
                accepted += times
                uses[action] = uses.get(action, 0) + count * times
        return accepted, uses, refused, rounds * len(self.lines) + whole

    def to_line_end(self, sent):
        """How many bytes are missing to the end of the line that byte `sent` is in; 0 between two lines."""
        rest = sent % len(self.bytes)
        if rest == 0 or rest in self.ends:
            return 0
        return self.ends[bisect.bisect_right(self.ends, rest)] - rest

    def piece(self, sent, length):
        rest = sent % len(self.bytes)
        rounds = (rest + length) // len(self.bytes) + 1
        return (self.bytes * rounds)[rest:rest + length]


def mixed(name, rng):
    """Lines of all kinds for a connection that stays."""
    lines = []
    for number in range(60):
        action = f"{APP}.{name}a{number % 5}"
        lines.append((f"{action}\n".encode(), action, 1))
    for number in range(15):
        action = f"{APP}.{name}#é{number % 3}"
        lines.append((f"{action}\r\n".encode(), action, 1))
    for _ in range(10):
        lines.append((json.dumps({"type": f"{APP}.{name}", "target": "j", "count": 2}).encode() + b"\n",
                      f"{APP}.{name}#j", 2))
    for _ in range(5):
        lines.append((f"{APP}.{name}n   n=3\n".encode(), f"{APP}.{name}n", 3))
    lines += [(b"# a comment\n", None, 0)] * 2 + [(b"\n", None, 0)] * 2
    lines.append((f"{APP}.{name} n=0\n".encode(), "!", 0))
    rng.shuffle(lines)
    return Block(lines)


def plain(name):
    return Block([(f"{APP}.{name}a{number}\n".encode(), f"{APP}.{name}a{number}", 1) for number in range(3)])


class Stream:
    """One connection, what was sent on it, and what the daemon said."""

    def __init__(self, name, block, path=EVENTS):
        self.name, self.block = name, block
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.setblocking(False)
        self.socket.connect(path)
        self.sent = 0                    # bytes of the block
        self.extra = b""                 # to be sent before the block goes on: the rest of a line, and a sync
        self.extra_of_block = 0          # how many bytes of `extra` belong to the block
        self.last_action = None          # of a last line without a line end
        self.syncs = {}                  # seq: what was accepted and refused before it, and the kills until then
        self.answered = set()
        self.next_seq = 0
        self.established = None          # when the first sync was answered
        self.opened = time.monotonic()
        self.ends_at = None
        self.state = "open"              # open, half (waits for answers, then the end), closed, broken
        self.kills = 0
        self.next_sync = 0
        self.received = b""

    def send(self, limit):
        """Sends up to `limit` bytes of the block, after what must go before; how many bytes the kernel took."""
        total = 0
        try:
            if self.extra:
                count = self.socket.send(self.extra)
                of_block = min(count, self.extra_of_block)
                self.sent += of_block
                self.extra_of_block -= of_block
                self.extra = self.extra[count:]
                total += of_block
            if not self.extra and limit > 0:
                count = self.socket.send(self.block.piece(self.sent, limit))
                self.sent += count
                total += count
        except BlockingIOError:
            pass
        except (BrokenPipeError, ConnectionResetError):
            self.state = "broken"
        return total

    def ask(self, kills):
        """Puts a sync behind the line that is being sent."""
        if self.extra:
            return
        rest = self.block.to_line_end(self.sent)
        accepted, _, refused, _ = self.block.count(self.sent + rest)
        self.next_seq += 1
        self.syncs[self.next_seq] = (accepted, refused, kills)
        self.extra = self.block.piece(self.sent, rest) + json.dumps({"op": "sync", "seq": self.next_seq}).encode() + b"\n"
        self.extra_of_block = rest

    def expected(self):
        accepted, uses, refused, _ = self.block.count(self.sent)
        if self.last_action:
            accepted += 1
            uses[self.last_action] = uses.get(self.last_action, 0) + 1
        return accepted, uses, refused


class Load:
    def __init__(self, seed, rate):
        self.rng = random.Random(seed)
        self.rate = rate
        self.epoll = select.epoll()
        self.streams = {}                # by descriptor
        self.done = []                   # streams that are closed or broken
        self.shorts = []                 # (action, lines, opened, kills before)
        self.exact = {}                  # action: lines, each with an id, sent until a sync is answered
        self.datagrams = 0
        self.datagram_uses = {}
        self.datagram_lines = 0
        self.kills = 0
        self.kill_times = []
        self.numbers = 0
        self.twice_answered = self.crossed_syncs = self.resent = self.halfclosed = self.late_closed = 0
        self.wrong = []
        self.is_loading = True
        self.tokens = 0.0
        self.most_open = 0
        self.last_tick = time.monotonic()
        self.datagram_socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.datagram_socket.setblocking(False)
        self.datagram_socket.connect(DATAGRAMS)
        self.old = [self.open(f"s{number}", mixed(f"s{number}", self.rng)) for number in range(STREAMS)]
        self.halves = [self.open(f"h{number}", plain(f"h{number}")) for number in range(HALVES)]
        self.control = self.open("control", plain("control"), CONTROL)
        self.next_short = self.next_medium = self.next_exact = 0
        self.line_cost = len(self.old[0].block.bytes) / len(self.old[0].block.lines)
        # From here on none of these may break.
        for stream in list(self.streams.values()):
            stream.ask(0)
        self.wait(lambda: not any(stream.syncs or stream.extra for stream in self.streams.values()), "the first answers")

    def open(self, name, block, path=EVENTS):
        stream = Stream(name, block, path)
        self.streams[stream.socket.fileno()] = stream
        self.most_open = max(self.most_open, len(self.streams))
        self.epoll.register(stream.socket.fileno(), select.EPOLLIN)
        return stream

    def leave(self, stream, state):
        """Closes our end."""
        stream.state = state
        self.epoll.unregister(stream.socket.fileno())
        del self.streams[stream.socket.fileno()]
        stream.socket.close()
        self.done.append(stream)

    # The load

    def tick(self):
        now = time.monotonic()
        # Through the time of a restart it is saved up: what comes then finds full sockets.
        self.tokens = min(self.tokens + (now - self.last_tick) * self.rate, self.rate)
        self.last_tick = now
        if not self.is_loading:
            return
        for stream in self.rng.sample(self.old, len(self.old)):
            if self.tokens <= 0:
                break
            if stream.state != "open":
                continue
            if now >= stream.next_sync:
                stream.next_sync = now + self.rng.uniform(1, 4)
                stream.ask(self.kills)
            self.tokens -= stream.send(self.rng.randrange(1, 8192)) / self.line_cost
        if self.rng.random() < 0.6:
            self.send_datagram()
        if now >= self.next_short:
            self.next_short = now + self.rng.expovariate(40)
            self.short()
        if now >= self.next_medium:
            self.next_medium = now + self.rng.expovariate(12)
            self.medium()
        if now >= self.next_exact:
            self.next_exact = now + self.rng.expovariate(8)
            self.start_exact()
        for stream in list(self.streams.values()):
            if stream.ends_at is None or stream.state != "open":
                continue
            if self.rng.random() < 0.03:
                self.tokens -= stream.send(self.rng.randrange(1, 1024)) / 13
            if stream.state == "broken":
                self.leave(stream, "broken")
            elif now >= stream.ends_at and stream.established is not None and not stream.extra:
                self.finish(stream)

    def send_datagram(self):
        lines = self.rng.randrange(1, 40)
        kind = self.rng.randrange(5)
        ends = self.rng.choice([b"", b"\n"])
        try:
            self.datagram_socket.send(b"\n".join([f"{APP}.d{kind}".encode()] * lines) + ends)
        except BlockingIOError:
            return
        self.tokens -= lines
        self.datagrams += 1
        self.datagram_lines += lines
        action = f"{APP}.d{kind}"
        self.datagram_uses[action] = self.datagram_uses.get(action, 0) + lines

    def short(self):
        """Connects, sends and leaves."""
        self.numbers += 1
        action, lines = f"{APP}.k{self.numbers}", self.rng.randrange(1, 100)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.setblocking(False)
            try:
                client.connect(EVENTS)
                data = b"\n".join([action.encode()] * lines)
                taken = client.send(data)
            except BlockingIOError:
                return
            except (BrokenPipeError, ConnectionResetError):
                self.shorts.append((action, lines, time.monotonic(), self.kills))
                return
            assert taken == len(data)
        self.tokens -= lines
        self.shorts.append((action, lines, time.monotonic(), self.kills))

    def medium(self):
        """A connection for some seconds."""
        if len(self.streams) >= MOST_OPEN:
            return
        self.numbers += 1
        try:
            stream = self.open(f"m{self.numbers}", plain(f"m{self.numbers}"))
        except BlockingIOError:
            return
        stream.ask(self.kills)
        stream.send(0)
        stream.ends_at = time.monotonic() + self.rng.uniform(0.05, 5)

    def finish(self, stream):
        """Closes a connection behind a last line that has no line end."""
        stream.send(0)
        rest = stream.block.to_line_end(stream.sent)
        last = f"{APP}.{stream.name}last"
        data = stream.block.piece(stream.sent, rest) + last.encode()
        if stream.extra:
            return False
        try:
            count = stream.socket.send(data)
        except BlockingIOError:
            return False
        except (BrokenPipeError, ConnectionResetError):
            self.leave(stream, "broken")
            return False
        if count < len(data):
            # The last line may be a part of a line now: then leave it to the end of the run.
            stream.sent += min(count, rest)
            stream.extra, stream.extra_of_block = data[count:] + b"\n", max(rest - count, 0)
            stream.last_action = last
            return False
        stream.sent += rest
        stream.last_action = last
        self.leave(stream, "closed")
        return True

    def start_exact(self):
        if len(self.streams) >= MOST_OPEN:
            return
        self.numbers += 1
        self.exact[f"{APP}.x{self.numbers}"] = 20
        self.send_exact(f"x{self.numbers}")

    def send_exact(self, name):
        """Lines with ids, and a sync; sent again on a new connection if the answer does not come."""
        lines = [(f"{APP}.{name} id={name}-{number}\n".encode(), f"{APP}.{name}", 1) for number in range(20)]
        try:
            stream = self.open(name, Block(lines))
        except BlockingIOError:
            self.exact.pop(f"{APP}.{name}", None)
            return
        stream.send(len(stream.block.bytes))
        stream.ask(self.kills)
        stream.send(0)

    # What comes back

    def read_replies(self, timeout):
        for descriptor, _ in self.epoll.poll(timeout):
            stream = self.streams.get(descriptor)
            if stream is None:
                continue
            try:
                data = stream.socket.recv(65536)
            except BlockingIOError:
                continue
            except ConnectionResetError:
                data = b""
            if not data:
                self.ended(stream)
                continue
            *lines, stream.received = (stream.received + data).split(b"\n")
            for line in lines:
                self.take(stream, json.loads(line))

    def ended(self, stream):
        if stream.state == "half" and not stream.syncs:
            return self.leave(stream, "closed")
        self.leave(stream, "broken")
        if stream.name.startswith("x"):
            self.resent += 1
            self.send_exact(stream.name)
            return
        if stream.established is not None and (not self.kill_times or self.kill_times[-1] - stream.established > 0.1):
            self.wrong.append(f"connection {stream.name}, established, was broken at kill {self.kills}")

    def take(self, stream, reply):
        if "status" in reply:
            self.status = reply["status"]
            return
        if "sync" not in reply:
            if reply.get("error", {}).get("code") not in ("invalidCount", None):
                self.wrong.append(f"connection {stream.name} got {reply}")
            return
        sync = reply["sync"]
        seq = sync["seq"]
        if seq in stream.answered:
            self.twice_answered += 1
            return
        accepted, refused, kills = stream.syncs.pop(seq)
        stream.answered.add(seq)
        if stream.established is None:
            stream.established = time.monotonic()
        if kills != self.kills:
            self.crossed_syncs += 1
        if stream.name.startswith("x"):
            if sync["accepted"] + sync["duplicates"] != 20:
                self.wrong.append(f"connection {stream.name} got {reply}")
            return self.leave(stream, "exact")
        right = sync["durable"] and (
            (sync["accepted"], sync["refused"]) == (accepted, refused) if kills == self.kills
            else sync["accepted"] >= accepted and sync["refused"] >= refused)
        if not right:
            self.wrong.append(f"connection {stream.name} got {reply}, and {accepted} lines were sent, {refused} of them bad")

    # What the killer asks for

    def half_lines(self):
        """Half a line on each of the connections that are there for it."""
        for stream in [stream for stream in self.halves if stream.state == "open"]:
            if stream.block.to_line_end(stream.sent) == 0 and not stream.extra:
                stream.send(self.rng.randrange(1, 5))

    def other_halves(self):
        for stream in [stream for stream in self.halves if stream.state == "open"]:
            stream.ask(self.kills)
            stream.send(0)

    def close_some(self):
        """Closes connections that the daemon knows, with more in them than it can have read."""
        now = time.monotonic()
        known = [stream for stream in self.streams.values()
                 if stream.state == "open" and stream.ends_at is not None and not stream.extra
                 and stream.established is not None and now - stream.established > 0.1]
        for stream in self.rng.sample(known, min(3, len(known))):
            self.tokens -= stream.send(self.rng.randrange(1, 65536)) / 13
            if stream.state != "open" or stream.extra:
                continue
            if self.rng.random() < 0.4:
                stream.ask(self.kills)
                stream.send(0)
                if not stream.extra and stream.state == "open":
                    # The answer is still waited for.
                    stream.socket.shutdown(socket.SHUT_WR)
                    stream.state = "half"
                    self.halfclosed += 1
            elif self.finish(stream):
                self.late_closed += 1

    def open_some(self):
        """Connections of all kinds that the daemon may or may not come to know before the kill."""
        for _ in range(self.rng.randrange(1, 8)):
            self.rng.choice([self.short, self.medium, self.start_exact])()

    def killed(self, when):
        self.kills += 1
        self.kill_times.append(when)
        for stream in self.streams.values():
            stream.kills += 1

    def ask_status(self):
        self.control.socket.send(b'{"op":"status"}\n')
        self.status = None
        self.wait(lambda: self.status is not None, "an answer to status")
        return self.status

    def wait(self, is_true, what, seconds=30):
        end = time.monotonic() + seconds
        while not is_true():
            if time.monotonic() > end:
                raise TimeoutError(what)
            self.read_replies(0.01)
            for stream in list(self.streams.values()):
                if stream.extra and stream.state == "open":
                    stream.send(0)

    def settle(self):
        """Ends all lines, waits until everything is stored, and gives the account."""
        self.is_loading = False
        try:
            return self.account()
        except TimeoutError as error:
            waiting = [f"{stream.name}: {len(stream.syncs)} syncs, {len(stream.extra)} bytes"
                       for stream in self.streams.values() if stream.syncs or stream.extra]
            return {"wrong": self.wrong + [f"not within the time: {error}; {waiting}"]}

    def account(self):
        self.wait(lambda: not any(stream.extra for stream in self.streams.values() if stream.state == "open"), "sending")
        for stream in list(self.streams.values()):
            if stream.state == "open" and not stream.name.startswith("x"):
                stream.ask(self.kills)
        self.wait(lambda: not any(stream.syncs or stream.extra for stream in self.streams.values()), "answers to syncs")
        self.wait(lambda: not any(stream.state == "half" for stream in self.streams.values()), "the end of half connections")
        end = time.monotonic() + 30
        while True:
            status = self.ask_status()
            if status["counters"]["datagrams"] >= self.datagrams and status["connections"] == len(self.streams):
                break
            if time.monotonic() > end:
                raise TimeoutError(f"{status['datagrams']} of {self.datagrams} datagrams, "
                                   f"{status['connections']} connections for {len(self.streams)}")
            time.sleep(0.02)
        # A sync on any connection is a commit of everything.
        self.control.ask(self.kills)
        self.wait(lambda: not self.control.syncs, "the last answer")
        status = self.ask_status()
        exact, atmost, lines, refused = {}, {}, 0, 0
        everything = self.done + list(self.streams.values())
        for stream in everything:
            accepted, uses, bad = stream.expected()
            if stream.name.startswith("x"):
                continue
            if stream.state == "broken":
                atmost.update(uses)
            else:
                exact.update(uses)
                lines += accepted
                refused += bad
        exact.update(self.datagram_uses)
        exact.update(self.exact)
        return {
            "wrong": self.wrong, "status": status, "exact": exact, "atmost": atmost,
            "lines": lines + self.datagram_lines + sum(self.exact.values()), "refused": refused,
            "datagrams": self.datagrams,
            "shorts": self.shorts, "kill_times": self.kill_times,
            "survived": sum(stream.kills > 0 and stream.state != "broken" for stream in everything),
            "survivals": sum(stream.kills for stream in everything if stream.state != "broken"),
            "broken": sum(stream.state == "broken" for stream in everything),
            "twiceAnswered": self.twice_answered, "crossedSyncs": self.crossed_syncs, "resent": self.resent,
            "mostOpen": self.most_open, "halfClosed": self.halfclosed, "lateClosed": self.late_closed,
        }


def run(seed, rate, orders):
    """The process of the load: does what is asked for through `orders`, one line each, and answers with a line."""
    load = Load(seed, rate)
    reader = orders.makefile("r")
    orders.setblocking(True)
    while True:
        load.tick()
        load.read_replies(0.001)
        if not select.select([orders], [], [], 0)[0]:
            continue
        order = json.loads(reader.readline())
        answer = True
        match order["do"]:
            case "half lines": load.half_lines()
            case "other halves": load.other_halves()
            case "close some": load.close_some()
            case "open some": load.open_some()
            case "killed": load.killed(order["at"])
            case "settle": answer = load.settle()
            case "go on": load.is_loading = True
            case "end": os._exit(0)
        orders.sendall(json.dumps(answer).encode() + b"\n")
