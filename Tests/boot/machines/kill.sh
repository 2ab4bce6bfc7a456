# kill −9 at random moments under load: nothing is lost, nothing is counted twice. Arguments: LOOPS [SEED] [RATE]
. /boot-test/lib.sh

drop_in quickactions.service '[Service]' 'RestartSec=50ms'
start_sockets
check "the start succeeds" systemctl start quickactions.service
exec python3 -B /boot-test/repo/Tests/boot/machines/kill.py "$@"
