# A daemon that stands still is killed and restarted; what was sent meanwhile is counted.
. /boot-test/lib.sh

drop_in quickactions.service '[Service]' 'WatchdogSec=2s'
start_sockets
check "the start succeeds" systemctl start quickactions.service
first=$(main_pid)

kill -STOP "$first"
send com.example.meanwhile.stream
send_datagram com.example.meanwhile.datagram
wait_for 20 "the watchdog has the service restarted" restarts_reach 1
wait_for 20 "it runs again" state_is active
check "in a new process" test "$(main_pid)" != "$first"
blamed() { journalctl -b -o cat -u quickactions.service | grep -q "result 'watchdog'"; }
wait_for 5 "and the journal gives the watchdog as the reason" blamed
wait_for 10 "the stream's line from meanwhile is counted" uses_are com.example.meanwhile.stream 1
wait_for 10 "the datagram from meanwhile is counted" uses_are com.example.meanwhile.datagram 1
for unit in "${sockets[@]}"; do is "$unit" "$(show ActiveState $unit)" active; done

# A healthy daemon outlives the watchdog's time, twice over.
second=$(main_pid) since=$SECONDS
alive_for() { [ "$(main_pid)" = "$second" ] || fail "it was restarted while healthy"; [ $((SECONDS - since)) -ge "$1" ]; }
wait_for 10 "it lives on while it moves" alive_for 5
is "restarts" "$(show NRestarts)" 1
