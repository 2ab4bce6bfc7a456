# A good file takes effect, a broken one is refused, and the process stays the same throughout.
. /boot-test/lib.sh

limit_is() { [ "$(jq .limit $top)" = "$1" ]; }

start_sockets
check "the start succeeds" systemctl start quickactions.service
pid=$(main_pid)
is "the limit at first" "$(jq .limit $top)" 4

put_settings '[Ranking]' 'Limit=2'
check "a reload with a good file succeeds" systemctl reload quickactions.service
send com.example.app.{one,two,three}
wait_for 10 "the new limit is in force" limit_is 2
shown() { [ "$(jq '.shortcuts | length' $top)" = "$1" ]; }
wait_for 10 "and holds" shown 2
is "the process" "$(main_pid)" "$pid"

put_settings '[Ranking]' 'Limit=0'
if systemctl reload quickactions.service; then fail "a reload with a broken file succeeded"; fi
say "ok: a reload with a broken file fails"
is "the service" "$(show ActiveState)/$(show SubState)" active/running
is "the process" "$(main_pid)" "$pid"
# A signal by hand goes past the check of the unit, and the daemon has to see for itself.
kill -HUP "$pid"
send com.example.later.one
wait_for 10 "an event after it is counted" uses_are com.example.later.one 1
is "the limit" "$(jq .limit $top)" 2
is "the process" "$(main_pid)" "$pid"
running() { [ "$(show SubState)" = running ]; }
wait_for 10 "the service is not stuck in a reload" running
say "STATUS: $(show StatusText)"

# Two at once while four writers keep it busy, each with an app of its own.
put_settings '[Ranking]' 'Limit=3'
lines=20000
for writer in 1 2 3 4; do
  yes com.example.load$writer.one 2>/dev/null | head -n $lines | socat -u - "UNIX-CONNECT:$events" &
  writers[writer]=$!
done
systemctl reload quickactions.service & one=$!
systemctl reload quickactions.service & two=$!
wait $one || fail "the first of two reloads at once"
wait $two || fail "the second of two reloads at once"
say "ok: two reloads at once under load"
for writer in 1 2 3 4; do wait "${writers[writer]}" || fail "writer $writer was cut off"; done
wait_for 10 "the new limit is in force" limit_is 3
for writer in 1 2 3 4; do
  wait_for 30 "all $lines lines of writer $writer are counted" uses_are com.example.load$writer.one $lines
done
wait_for 10 "the service runs" running
is "the process" "$(main_pid)" "$pid"
is "restarts" "$(show NRestarts)" 0
