# The user units, under the user manager of somebody without privileges: once from /usr/lib, once
# as `make install-user` puts them, with the daemon in the home folder.
. /boot-test/lib.sh

useradd --create-home person
uid=$(id -u person) runtime=/run/user/$(id -u person)
home=$(getent passwd person | cut -d: -f6)
install -d -m 700 -o person -g person "$runtime"

# What logind and user@.service would do, without PAM.
check "the user manager starts" systemd-run --quiet --unit=person --service-type=notify \
  -p User=person -p Delegate=yes -p NotifyAccess=all -p KillMode=mixed \
  -p "Environment=XDG_RUNTIME_DIR=$runtime HOME=$home" /lib/systemd/systemd --user

user() { as person env HOME="$home" XDG_RUNTIME_DIR="$runtime" "$@"; }
# From here on the functions of lib.sh speak of the user's service.
systemctl() { user systemctl --user "$@"; }
events=$runtime/quickactions/events.sock
datagrams=$runtime/quickactions/events.dgram
control=$runtime/quickactions/control.sock
snapshots=$home/.local/state/quickactions/snapshots
top=$snapshots/top.json

try() {
  start_sockets
  is "the folder" "$(stat -c '%A %U' "${events%/*}")" "drwx------ person"
  for socket in "$events" "$datagrams" "$control"; do
    is "${socket##*/}" "$(stat -c '%A %U' "$socket")" "srw------- person"
  done
  send "com.example.$1.stream"
  wait_for 10 "a line starts the service" state_is active
  send_datagram "com.example.$1.datagram"
  wait_for 20 "the line is counted" uses_are "com.example.$1.stream" 1
  wait_for 20 "the datagram is counted" uses_are "com.example.$1.datagram" 1
  is "the program" "$(show ExecStart | grep -o 'path=[^ ]*')" "$2"
  is "it runs as" "$(stat -c %U "/proc/$(main_pid)")" person
  is "no new privileges" "$(awk '$1 == "NoNewPrivs:" { print $2 }' "/proc/$(main_pid)/status")" 1
  is "system calls are filtered" "$(awk '$1 == "Seccomp:" { print $2 }' "/proc/$(main_pid)/status")" 2
  is "no state beside the settings" "$(ls "$home/.config/quickactions" 2>/dev/null | grep -v quickactions.conf)" ""
  is "status on the control socket" "$(status '|type')" object
  check "a reload succeeds" systemctl reload quickactions.service
  user mkdir -p "$home/.config/quickactions"
  printf '[Ranking]\nLimit=0\n' | user tee "$home/.config/quickactions/quickactions.conf" >/dev/null
  if systemctl reload quickactions.service; then fail "a reload with a broken file succeeded"; fi
  say "ok: a reload with a broken file fails"
  user rm "$home/.config/quickactions/quickactions.conf"
  is "the service" "$(show ActiveState)/$(show SubState)" active/running
  check "the stop succeeds" systemctl stop quickactions.service
  is "the service" "$(show ActiveState)/$(show Result)" inactive/success
  for unit in "${sockets[@]}"; do is "$unit" "$(show ActiveState $unit)" active; done
  systemctl stop "${sockets[@]}"
  for socket in "$events" "$datagrams" "$control"; do check "${socket##*/} is gone" test ! -e "$socket"; done
}
try machine "path=/usr/bin/quickactionsd"

check "make install-user" user make -s -C /boot-test/repo -f install.mk install-user-files DAEMON=/boot-test/quickactionsd \
  CLIENT=/boot-test/quickactions
systemctl daemon-reload
try home "path=$home/.local/bin/quickactionsd"
check "make uninstall-user" user make -s -C /boot-test/repo -f install.mk uninstall-user
is "units left" "$(find "$home/.config/systemd" "$home/.local/bin" -type f)" ""
