# An event on either socket starts the service, and is counted.
. /boot-test/lib.sh

stop() {
  systemctl stop quickactions.service || fail "the stop"
  is "the service after the stop" "$(show ActiveState)/$(show Result)" inactive/success
}

start_sockets
send com.example.stream.one
wait_for 10 "a line on the stream socket starts the service" state_is active
wait_for 10 "and is counted" uses_are com.example.stream.one 1
stop

send_datagram com.example.datagram.one 'com.example.datagram.two n=3'
wait_for 10 "a datagram starts the service" state_is active
wait_for 10 "its first line is counted" uses_are com.example.datagram.one 1
wait_for 10 "its second line is counted" uses_are com.example.datagram.two 3
stop

is "status, asked of a service that does not run" "$(status '|type')" object
wait_for 10 "the service runs after the question" state_is active
stop
for unit in "${sockets[@]}"; do is "$unit" "$(show ActiveState $unit)" active; done
