# A service that fails at every start: at an even pace, and its sockets and what waits in them
# survive until the cause is put right.
. /boot-test/lib.sh

failures_with() { journalctl -b -o cat -u quickactions.service | grep -c "status=$1/"; }
failed_often() { [ "$(failures_with "$1")" -ge "$2" ]; }
sockets_live() { for unit in "${sockets[@]}"; do is "$unit" "$(show ActiveState "$unit")" active; done; }

start_sockets
put_settings '[Ranking]' 'Limit=0'
begun=$SECONDS
send com.example.settings.stream
send_datagram com.example.settings.datagram
wait_for 30 "four starts fail with 78" failed_often 78 4
check "a second apart, although events wait" test $((SECONDS - begun)) -ge 3
check "and not more of them" test "$(failures_with 78)" -le $((SECONDS - begun + 2))

drop_in quickactions.service '[Service]' 'RestartSec=50ms'
wait_for 60 "25 starts fail" failed_often 78 25
sockets_live
put_settings
wait_for 20 "the service runs once the settings are right" state_is active
wait_for 10 "the line that waited is counted" uses_are com.example.settings.stream 1
wait_for 10 "the datagram that waited is counted" uses_are com.example.settings.datagram 1

# systemd cannot make the state folder.
systemctl stop quickactions.service
mv /var/lib/quickactions /var/lib/quickactions.aside
: >/var/lib/quickactions
send com.example.folder.one
wait_for 60 "20 starts fail for want of a state folder" failed_often 238 20
sockets_live
rm /var/lib/quickactions
wait_for 20 "the service runs once the file is out of the way" state_is active
wait_for 10 "the line that waited is counted" uses_are com.example.folder.one 1

# The daemon cannot use it.
systemctl stop quickactions.service
rm -rf $snapshots
: >$snapshots
send com.example.file.one
wait_for 60 "20 starts fail with 73" failed_often 73 20
sockets_live
rm $snapshots
wait_for 20 "the service runs once the file is out of the way" state_is active
wait_for 10 "the line that waited is counted" uses_are com.example.file.one 1
