# A daemon with 100,000 actions that is killed is ready again soon.
. /boot-test/lib.sh

start_sockets
check "the start succeeds" systemctl start quickactions.service
answer=$({ seq -f 'com.example.app%.0f.use' 1 1000; seq -f 'com.example.many.a%.0f' 1 99000; echo '{"op":"sync"}'; } |
  socat -t 30 - "UNIX-CONNECT:$events")
is "uses that are stored" "$(jq -c .sync.accepted,.sync.durable <<<"$answer" | tr '\n' ' ')" '100000 true '
is "actions" "$(status .actions)" 100000
all_written() { [ "$(ls "$snapshots/apps" | grep -c json)" = 1001 ]; }
wait_for 30 "all lists are written" all_written

# When the main process began and when it was ready, by systemd's clock.
times() { show ExecMainStartTimestampMonotonic; show ActiveEnterTimestampMonotonic; }
# RestartSec= lies before, and is not counted.
for round in 1 2 3; do
  first=$(main_pid)
  kill -9 "$first"
  another_runs() { state_is active && [ "$(main_pid)" != "$first" ] && [ "$(main_pid)" != 0 ]; }
  wait_for 30 "it is ready again" another_runs
  { read -r begun; read -r ready; } < <(times)
  took=$(((ready - begun) / 1000))
  say "restart with 100000 actions: READY after $took ms, $(($(show CPUUsageNSec) / 1000000)) ms of CPU by now"
  # A build without optimisation, on a busy machine, is allowed a lot.
  [ $took -lt 30000 ] || fail "that is absurd"
done
is "actions" "$(status .actions)" 100000
is "uses" "$(status .counters.uses)" 100000
