# More connections than systemd is to keep: those it keeps outlive kill −9 with their half lines, the others break, and
# all of it is said. And connections that neither the state nor the log knows are gone on with at their next line.
. /boot-test/lib.sh

drop_in quickactions.service '[Service]' 'RestartSec=1s'
put_settings '[Storage]' 'CommitInterval=1h'
start_sockets
check "the start succeeds" systemctl start quickactions.service

# A process with connections, told what to do line by line; it answers each time with what came of it.
cat >/tmp/clients.py <<'EOF'
import json, socket, sys
clients = []
def open_(count):
    for _ in range(count):
        client = socket.socket(socket.AF_UNIX)
        client.connect("/run/quickactions/events.sock")
        client.settimeout(20)
        clients.append(client)
def send(text):
    """To all; how many took it."""
    took = 0
    for number, client in enumerate(clients):
        try:
            client.sendall(text.replace("NUMBER", str(number)).encode())
            took += 1
        except OSError:
            pass
    return took
def answers():
    """What the next lines from all say of accepted lines, each once, and how many are broken."""
    accepted, broken = set(), 0
    for client in list(clients):
        try:
            line = client.recv(4096)
        except OSError:
            line = b""
        if line:
            accepted.add(json.loads(line)["sync"]["accepted"])
        else:
            broken += 1
            clients.remove(client)
    return f"accepted {sorted(accepted)} broken {broken}"
def close():
    for client in clients:
        client.close()
    clients.clear()
for line in sys.stdin:
    print(eval(line), flush=True)
EOF
coproc clients { python3 /tmp/clients.py; }
ask() {
  echo "$1" >&"${clients[1]}"
  read -r -t 30 answer <&"${clients[0]}" || fail "the clients have ended"
}
another_runs() { state_is active && [ "$(main_pid)" != "$killed" ] && [ "$(main_pid)" != 0 ]; }
kill_it() { killed=$(main_pid) && kill -9 "$killed"; }
kept_by_systemd() { [ "$(show NFileDescriptorStore)" = "$1" ]; }
sync='{"op":"sync"}\n'

ask "open_(600)"
ask "send('com.example.kept.half')"
kept_by_daemon() { [ "$(status .connections)/$(status .keptConnections)" = "$1" ]; }
wait_for 20 "it has 601 connections and wants 512 kept" kept_by_daemon 601/512
wait_for 20 "systemd keeps 512" kept_by_systemd 512
kill_it
# Meanwhile: these wait in the sockets, as far as there are any.
ask "send('NUMBER\n$sync')"
say "$answer of 600 connections took the other half of the line"
wait_for 20 "it is started again with all of them" another_runs
ask "answers()"
is "the answers" "$answer" "accepted [1] broken 88"
is "lines" "$(status .counters.accepted)" 512
is "connections that were lost" "$(status .counters.connectionsLost)" 88
is "uses of actions" "$(sqlite3 -readonly /var/lib/quickactions/state.db 'SELECT count(*), sum(uses) FROM actions')" '512|512'
ask "close()"
wait_for 20 "systemd keeps none any more" kept_by_systemd 0

# Without a state and a log nothing is known of a connection but that it was there.
ask "open_(3)"
ask "send('$sync')"
ask "answers()"
ask "send('com.example.unknown.half')"
heard() { [ "$(status .keptConnections)" = 3 ]; }
wait_for 20 "three connections are kept" heard
kill_it
rm -f /var/lib/quickactions/state.db* /run/quickactions/intake.log
ask "send('ofaline\ncom.example.unknown.whole\ncom.example.unknown.next')"
wait_for 20 "it is started again" another_runs
rests() { [ "$(status .counters.unknownRests)/$(status .counters.accepted)" = 3/3 ]; }
wait_for 20 "three rests are passed over, three lines are counted" rests
# Nothing of that is in the database yet.
kill_it
wait_for 20 "it is started again" another_runs
wait_for 20 "the same from the log" rests
ask "send('\n$sync')"
ask "answers()"
is "the answers" "$answer" "accepted [2] broken 0"
wait_for 10 "the list has the whole lines" uses_are com.example.unknown.whole 3
wait_for 10 "and the next ones" uses_are com.example.unknown.next 3
