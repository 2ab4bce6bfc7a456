# Who may do what: members of the group add uses and read, strangers neither, control is root's.
. /boot-test/lib.sh

# refused WHAT COMMAND...: it must fail for want of permission, not for another reason.
refused() {
  local what=$1 words
  shift
  words=$("$@" 2>&1 </dev/null) && fail "$what: it worked"
  [[ $words == *"Permission denied"* ]] || fail "$what: $words"
  say "ok: $what"
}
connect() { as "$1" socat -u /dev/null "UNIX-CONNECT:$2"; }
datagram() { as "$1" socat -u OPEN:/etc/hostname "UNIX-SENDTO:$datagrams"; }

useradd --no-create-home --groups quickactions member
useradd --no-create-home stranger
start_sockets
check "the start succeeds" systemctl start quickactions.service

echo com.example.member.stream | check "a member sends a line" as member socat -u - "UNIX-CONNECT:$events"
echo com.example.member.datagram | check "a member sends a datagram" as member socat -u - "UNIX-SENDTO:$datagrams"
wait_for 10 "the line is counted" uses_are com.example.member.stream 1
wait_for 10 "the datagram is counted" uses_are com.example.member.datagram 1
check "a member reads the list over all apps" as member test -r $top
is "a member reads an app's list" "$(as member jq -r .app $snapshots/apps/com.example.member.json)" com.example.member
refused "a member cannot write a list" as member sh -c "exec >>$top"
refused "a member cannot put a file beside it" as member touch $snapshots/other.json
refused "a member cannot connect to control" connect member $control

refused "a stranger cannot connect to events" connect stranger $events
refused "a stranger cannot send a datagram" datagram stranger
refused "a stranger cannot connect to control" connect stranger $control
refused "a stranger cannot read a list" as stranger cat $top
refused "a stranger cannot look into the state folder" as stranger ls /var/lib/quickactions

is "root gets an answer from control" "$(status '|type')" object
