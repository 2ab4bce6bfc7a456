# From nothing to READY: state, first snapshot, owners and modes.
. /boot-test/lib.sh

start_sockets
is "events.sock" "$(stat -c '%A %U:%G' $events)" "srw-rw---- quickactions:quickactions"
is "events.dgram" "$(stat -c '%A %U:%G' $datagrams)" "srw-rw---- quickactions:quickactions"
is "control.sock" "$(stat -c '%A %U:%G' $control)" "srw------- quickactions:quickactions"
is "the service before the first event" "$(show ActiveState)" inactive

check "the start succeeds" systemctl start quickactions.service
# READY comes after the first snapshot, so there is nothing to wait for.
is "the service" "$(show ActiveState)/$(show SubState)" active/running
is "top.json" "$(stat -c '%A %U:%G' $top)" "-rw-r----- quickactions:quickactions"
is "the snapshots' folder" "$(stat -c '%A %U:%G' $snapshots)" "drwxr-x--- quickactions:quickactions"
is "the state folder" "$(stat -c '%A %U:%G' /var/lib/quickactions)" "drwxr-x--- quickactions:quickactions"
is "format" "$(jq -r .format $top)" quickactions-snapshot/1
is "shortcuts of an empty list" "$(jq -c .shortcuts $top)" '[]'
is "events.sock after the start" "$(stat -c '%A %U:%G' $events)" "srw-rw---- quickactions:quickactions"
is "control.sock after the start" "$(stat -c '%A %U:%G' $control)" "srw------- quickactions:quickactions"
is "status on the control socket" "$(status '|type')" object
is "the runs needed" "$(show NRestarts)" 0
is "warnings of a clean start" "$(journalctl -b -o cat -p warning -u quickactions.service -q)" ""
say "STATUS: $(show StatusText)"
begun=$(show ExecMainStartTimestampMonotonic) ready=$(show ActiveEnterTimestampMonotonic)
say "time to READY: $(((ready - begun) / 1000)) ms"
