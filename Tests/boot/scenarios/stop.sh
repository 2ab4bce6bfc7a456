# A stop while writers write: clean, no line counted that was not sent, nothing lost afterwards.
. /boot-test/lib.sh

# Long ids, so that a stop nearly always cuts a line in two.
tail=$(printf 'x%.0s' {1..180})
id() { echo "com.example.stop$1.$tail"; }

# writer N: lines without end, until nobody takes them any more. How many were handed over is an
# upper bound of how many arrived.
writer() {
  trap '' PIPE
  local line handed=0
  line=$(id "$1")
  {
    while echo "$line"; do handed=$((handed + 1)); done 2>/dev/null
    echo $handed >"/tmp/handed$1"
  } | socat -u - "UNIX-CONNECT:$events" 2>/dev/null
}

start_sockets
check "the start succeeds" systemctl start quickactions.service
for n in 1 2 3 4; do writer $n & writers[n]=$!; done
used() { [ "$(uses "$(id "$1")")" -gt 0 ]; }
for n in 1 2 3 4; do wait_for 20 "writer $n is being counted" used $n; done
for n in 1 2 3 4; do before[n]=$(uses "$(id $n)"); done

begun=$(date +%s%N)
check "the stop succeeds under load" systemctl stop quickactions.service
say "the stop took $((($(date +%s%N) - begun) / 1000000)) ms"
is "the service" "$(show ActiveState)/$(show Result)" inactive/success
is "exit status" "$(show ExecMainCode)/$(show ExecMainStatus)" 1/0
for n in 1 2 3 4; do wait "${writers[n]}"; done
for n in 1 2 3 4; do
  counted=$(uses "$(id $n)") handed=$(cat /tmp/handed$n)
  say "writer $n: $handed lines handed over, ${before[n]} counted before the stop, $counted in the end"
  check "writer $n: no more counted than sent" test "$counted" -le "$handed"
  check "writer $n: nothing taken back" test "$counted" -ge "${before[n]}"
done
seen=$(jq -r '(.shortcuts, .dynamic // [])[].type' $top $snapshots/apps/*.json | sort -u)
check "no other ids in any list: $(wc -l <<<"$seen")" test "$seen" = "$(for n in 1 2 3 4; do id $n; done)"

for unit in "${sockets[@]}"; do is "$unit" "$(show ActiveState $unit)" active; done
check "the events sockets are there" test -S $events -a -S $datagrams -a -S $control
send com.example.after.stream
send_datagram com.example.after.datagram
wait_for 20 "a line from after the stop is counted at the next start" uses_are com.example.after.stream 1
wait_for 20 "a datagram from after the stop, too" uses_are com.example.after.datagram 1
