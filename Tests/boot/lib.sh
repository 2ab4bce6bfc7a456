# For the scenarios, which run as root under the systemd of run-under-systemd.sh.
set -u

events=/run/quickactions/events.sock
datagrams=/run/quickactions/events.dgram
control=/run/quickactions/control.sock
settings=/etc/quickactions/quickactions.conf.d/test.conf
snapshots=/var/lib/quickactions/snapshots
top=$snapshots/top.json
sockets=(quickactions.socket quickactions-control.socket)

say() { echo "$*"; }

# fail WHY: ends the scenario, with the last of what the service and systemd said about it.
fail() {
  echo "FAILED: $*"
  echo "--- the journal's last lines:"
  journalctl -b -o short-precise --no-pager -n 40 -u 'quickactions*' 2>/dev/null || echo "(none)"
  exit 1
}

# check WHAT COMMAND...: the command must succeed, now.
check() {
  local what=$1
  shift
  "$@" || fail "$what"
  say "ok: $what"
}

# is WHAT ACTUAL EXPECTED
is() { [ "$2" = "$3" ] || fail "$1: it is '$2' and should be '$3'"; say "ok: $1: $2"; }

# wait_for SECONDS WHAT COMMAND...: the command must succeed within that time. What is waited for
# is a fact; how soon it is seen is all that the pause decides.
wait_for() {
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || fail "not within the time: $what"
    sleep 0.1
  done
  say "ok: $what"
}

# put_settings LINE...: settings over the installed ones, with quick snapshots unless told.
put_settings() {
  mkdir -p "${settings%/*}"
  printf '%s\n' '[Snapshot]' 'Interval=100ms' "$@" >"$settings"
}

# drop_in UNIT LINE...
drop_in() {
  mkdir -p "/etc/systemd/system/$1.d"
  printf '%s\n' "${@:2}" >"/etc/systemd/system/$1.d/test.conf"
  systemctl daemon-reload
}

start_sockets() { check "the sockets start" systemctl start "${sockets[@]}"; }

show() { systemctl show --value -p "$1" "${2:-quickactions.service}"; }
main_pid() { show MainPID; }
state_is() { [ "$(show ActiveState "${2:-quickactions.service}")" = "$1" ]; }
restarts_reach() { [ "$(show NRestarts)" -ge "$1" ]; }

# send LINE...: over one stream connection. send_datagram: all in one datagram.
# The stream's writer does not wait for replies: it closes its end and leaves.
send() { printf '%s\n' "$@" | socat -u - "UNIX-CONNECT:$events"; }
send_datagram() { printf '%s\n' "$@" | socat -u - "UNIX-SENDTO:$datagrams"; }

# uses ID: how often the latest lists say the action was used. Its app's own file is read, since
# only the best few are in the list over all apps.
uses() {
  jq -r --arg id "$1" '[.dynamic[] | select(.type == $id) | .uses][0] // 0' \
    "$snapshots/apps/${1%.*}.json" 2>/dev/null || echo 0
}
uses_are() { [ "$(uses "$1")" = "$2" ]; }
generation() { jq .generation "$top"; }

# status FILTER: what the daemon's own counters say.
status() { echo '{"op":"status"}' | socat -t 5 - "UNIX-CONNECT:$control" | jq -r ".status$1"; }

# Run as another user, without root's powers.
as() { setpriv --reuid "$1" --regid "$1" --init-groups "${@:2}"; }

systemd-sysusers || fail "systemd-sysusers"
put_settings
