#!/usr/bin/env python3
"""Opens many connections at once and checks what they cost, and that no use is lost however they end.

usage: Tests/machines/many_clients.py [--count N] [--churn N] [--all]

With COUNT connections open: what each costs of the daemon's own memory, with nothing, a line and a part of a line sent
(at most 4 KiB); one more is turned away and counted, and a place that was closed is free for the next. Then all of them
end at once, and come again in the memory of the first ones. CHURN connections that send one line and are gone are
counted to the last. At the end the daemon is killed with COUNT connections open: what they have sent is counted, and
those that the service manager keeps go on in the middle of their lines. Times are printed and decide nothing.
"""
import argparse, array, contextlib, fcntl, os, resource, socket, sys, termios, time
from machine import Client, Failure, Site, memory_of, quit_on_signals, temporary_folder

MOST_BYTES = 4096
KEPT = 16
LINE, PART, REST = b"com.example.app.action01234\n", b"com.example.app.part", b"ed\n"


def settings(count):
    return (f"[Intake]\nMaxConnections={count + 100}\nMaxConnectionsPerUser={count}\nStoreConnections={KEPT}\n"
            "[Storage]\nCommitInterval=200ms\n[Snapshot]\nInterval=500ms\n")


def have_descriptors(count):
    wanted = count + 1000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, wanted))
            return
        raise Failure(f"{wanted} descriptors are needed, and only {hard} are allowed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


def descriptors(site):
    return len(os.listdir(f"/proc/{site.daemon.pid}/fd"))


def unread(client):
    waiting = array.array("i", [0])
    fcntl.ioctl(client.raw, termios.TIOCOUTQ, waiting)
    return waiting[0]


def wait_read(site, clients):
    """Waits until the daemon has read all that was sent."""
    for client in clients:
        site.wait_until(lambda: unread(client) == 0, 30, "end of what was sent")


def wait_counter(site, name, value, seconds=60):
    site.wait_until(lambda: site.status()["counters"][name] >= value, seconds, f"{name} of {value}")
    reached = site.status()["counters"][name]
    if reached != value:
        raise Failure(f"{name} is {reached} and not {value}")


def refusals(site, code):
    return site.status()["refused"].get(code, 0)


def first_reply(site, client, key):
    return site.wait_until(lambda: client.reply(key), 30, f"reply {key}")


def open_one(site):
    """A connection and how long it took until its first line was answered, which is one to be refused."""
    begin = time.perf_counter()
    client = Client(socket.socket(socket.AF_UNIX))
    client.raw.connect(os.path.join(site.runtime, "events.sock"))
    client.raw.sendall(b"a b\n")
    answer = client.raw.recv(4096)
    took = time.perf_counter() - begin
    client.raw.setblocking(False)
    if b"unknownField" not in answer:
        raise Failure(f"below all bounds a connection was answered {answer!r}")
    return client, took


def open_all(site, count):
    pairs = []
    for number in range(count):
        pairs.append(open_one(site))
        if number % 64 == 0:
            site.manager.pump()
    return [client for client, _ in pairs], sorted(took for _, took in pairs)


def check_memory(site, before, count, what, figures):
    each = (memory_of(site.daemon.pid) - before) / count
    figures.append(f"{what} {each:.0f}")
    if each > MOST_BYTES:
        raise Failure(f"a connection costs {each:.0f} bytes, {what}")


def close_all(site, clients, before):
    for client in clients:
        client.close()
    site.wait_until(lambda: site.status()["connections"] == 1, 60, "end of all connections")
    site.wait_until(lambda: descriptors(site) <= before, 10, "return of the descriptors")
    site.wait_until(lambda: len(site.manager.kept) == 0, 10, "end of what was kept")


def check_bound(site, clients, count):
    """One over the bound is turned away; what was closed is free."""
    before = refusals(site, "tooManyConnections")
    for number in range(20):
        client = site.connect()
        site.wait_until(lambda: client.reply("error"), 10, "error")
        if client.replies[0]["error"]["code"] != "tooManyConnections":
            raise Failure(f"over the bound a connection was told {client.replies[0]}")
        site.wait_until(lambda: client.reply("nothing") or client.is_at_end, 10, "end of one that was turned away")
        client.close()
    for _ in range(min(count, 500)):
        clients.pop(0).close()
        clients.append(open_one(site)[0])
    refused = refusals(site, "tooManyConnections") - before
    if refused != 20:
        raise Failure(f"{refused} connections were turned away, and there were 20 over the bound")


def churn(site, count):
    path = os.path.join(site.runtime, "events.sock")
    begin = time.perf_counter()
    for _ in range(count):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(path)
            client.send(LINE)
    return count / (time.perf_counter() - begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--churn", type=int, default=2000)
    parser.add_argument("--all", action="store_true", help="10,000 connections, and 100,000 that come and go")
    options = parser.parse_args()
    quit_on_signals()
    if options.all:
        options.count, options.churn = 10_000, 100_000
    count = options.count
    have_descriptors(count)
    figures, sent = [], 0
    with temporary_folder("clients") as folder:
        site = Site(folder, settings(count), managed=True)
        try:
            site.start_and_wait()
            site.connect().send(LINE)
            sent += 1
            wait_counter(site, "accepted", sent)
            site.wait_until(lambda: site.status()["counters"]["snapshotsWritten"] > 0, 10, "snapshot")
            site.wait_until(lambda: site.status()["connections"] == 1, 10, "quiet")
            before, files = memory_of(site.daemon.pid), descriptors(site)

            clients, times = open_all(site, count)
            check_memory(site, before, count, "answered", figures)
            for client in clients:
                client.send(LINE)
            sent += count
            wait_counter(site, "accepted", sent)
            check_memory(site, before, count, "with a line sent", figures)
            for client in clients:
                client.send(PART)
            wait_read(site, clients)
            check_memory(site, before, count, "in the middle of a line", figures)
            check_bound(site, clients, count)
            # At its end each part counts as a line.
            sent += count
            begin = time.perf_counter()
            close_all(site, clients, files)
            ended = time.perf_counter() - begin
            wait_counter(site, "accepted", sent)

            clients, _ = open_all(site, count)
            check_memory(site, before, count, "when all came again", figures)
            close_all(site, clients, files)

            rate = churn(site, options.churn)
            sent += options.churn
            wait_counter(site, "accepted", sent)
            close_all(site, [], files)

            clients, _ = open_all(site, count)
            for client in clients:
                client.send(LINE + PART)
            sent += count
            wait_read(site, clients)
            kept = len(site.manager.kept)
            if kept != KEPT:
                raise Failure(f"{kept} connections are kept, and not {KEPT}")
            site.kill()
            site.start_and_wait()
            wait_counter(site, "connectionsRestored", KEPT)
            wait_counter(site, "connectionsLost", count - KEPT)
            for client in clients:
                with contextlib.suppress(OSError):
                    client.raw.send(REST)
            sent += KEPT
            wait_counter(site, "accepted", sent)
            for client in clients:
                client.close()
            site.stop()
            uses, _ = site.stored()
            if sum(uses.values()) != sent:
                raise Failure(f"{sum(uses.values())} uses are stored of {sent}")
        except Failure as failure:
            print(f"many clients: FAILED: {failure}; {site.said()[-600:]}")
            sys.exit(1)
        finally:
            site.close()
    print(f"many clients: {count} at once, bytes each: {', '.join(figures)}; to the answer to the first line: median "
          f"{times[count // 2] * 1000:.3f} ms, p99 {times[count * 99 // 100] * 1000:.3f} ms; all ended in {ended:.2f} s; "
          f"{options.churn} that came, sent and went: {rate:.0f} a second; {sent} uses counted, {KEPT} connections outlived a kill")


if __name__ == "__main__":
    main()
