# kill −9 as one would try it by hand: one socat that stays connected, lines before and after, and an answer at the end.
. /boot-test/lib.sh

drop_in quickactions.service '[Service]' 'RestartSec=100ms'
put_settings '[Storage]' 'CommitInterval=1h'
start_sockets
check "the start succeeds" systemctl start quickactions.service

mkfifo /tmp/lines
socat - "UNIX-CONNECT:$events" </tmp/lines >/tmp/replies &
client=$!
exec 3>/tmp/lines
type_in() { say "> $*"; printf '%b' "$*" >&3; }
answered() { [ "$(wc -l </tmp/replies)" -ge "$1" ]; }
another_runs() { state_is active && [ "$(main_pid)" != "$killed" ] && [ "$(main_pid)" != 0 ]; }
kill_it() {
  killed=$(main_pid)
  say "\$ kill -9 $killed"
  kill -9 "$killed"
}

# In one piece: what is behind the sync is counted, but no commit of its own has it.
type_in 'com.example.hand.before n=5\n{"op":"sync","seq":1}\ncom.example.hand.before n=6\ncom.example.hand.ac'
wait_for 10 "the daemon answers" answered 1
received() { [ "$(status .counters.accepted)" = 2 ]; }
wait_for 10 "it has heard two lines and a half" received

kill_it
type_in 'ross\ncom.example.hand.after\n'
wait_for 10 "another process runs" another_runs
kill_it
type_in '{"op":"sync","seq":2}\n'
wait_for 10 "another process runs" another_runs
wait_for 10 "the same socat gets an answer to its sync" answered 2
is "and no second one to the first" "$(wc -l </tmp/replies)" 2
check "it is still the same socat" kill -0 "$client"
exec 3>&-
wait "$client"
sed 's/^/< /' /tmp/replies
is "the last answer" "$(tail -n 1 /tmp/replies | jq -c .sync)" \
  '{"seq":2,"accepted":4,"duplicates":0,"refused":0,"durable":true}'

stored() { sqlite3 -readonly /var/lib/quickactions/state.db "SELECT action, uses FROM actions ORDER BY action"; }
is "what is stored" "$(stored | tr '\n' ' ')" \
  'com.example.hand.across|1 com.example.hand.after|1 com.example.hand.before|11 '
is "the restarts" "$(show NRestarts)" 2
