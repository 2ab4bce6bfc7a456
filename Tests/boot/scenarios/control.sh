# What control.sock and the catalogue offer, under systemd: it outlives kills, restarts and reloads, and what is
# forgotten is in no file of the service any more.
. /boot-test/lib.sh

word=xylophon7q3
drop_in quickactions.service '[Service]' 'RestartSec=100ms'
put_settings '[Storage]' 'CommitInterval=1h'
vendor=/usr/share/quickactions/catalogue.d own=/etc/quickactions/catalogue.d
mkdir -p $vendor $own

# declare FOLDER TITLE: an app with one static action.
declare_mail() {
  printf '{"app": "com.example.mail", "actions": [{"type": "com.example.mail.compose", "kind": "static",
    "localizedTitle": "%s"}]}' "$2" >"$1/mail.json"
}
# ask REQUEST...: the replies, in one connection. The last one is a sync.
ask() { printf '%s\n' "$@" '{"op":"sync","seq":1}' | socat -t 10 - "UNIX-CONNECT:$control"; }
title_is() { [ "$(jq -r '.shortcuts[0].localizedTitle' $snapshots/apps/com.example.mail.json)" = "$1" ]; }
list() { jq -r '[.shortcuts[].type] | join(" ")' "$snapshots/apps/com.example.mail.json"; }
list_is() { [ "$(list)" = "$1" ]; }
another_runs() { state_is active && [ "$(main_pid)" != "$killed" ] && [ "$(main_pid)" != 0 ]; }
kill_it() {
  killed=$(main_pid)
  kill -9 "$killed"
  wait_for 10 "another process runs after a kill" another_runs
}
holding() { grep -rlF $word /var/lib/quickactions /run/quickactions; }

declare_mail $vendor "New Message"
start_sockets
check "the start succeeds" systemctl start quickactions.service
check "the vendor's title is published" title_is "New Message"
declare_mail $own "Write"
check "a reload with another file succeeds" systemctl reload quickactions.service
wait_for 10 "the administrator's title is published" title_is "Write"

ask '{"op":"define","action":{"type":"com.example.mail.reply","localizedTitle":"Reply"}}' \
  '{"op":"pin","action":"com.example.mail.archive"}' 'com.example.mail.late n=3' >/tmp/replies
is "the replies" "$(jq -rs '[.[] | keys[0]] | join(" ")' /tmp/replies)" "define pin sync"
wanted="com.example.mail.compose com.example.mail.archive com.example.mail.late com.example.mail.reply"
wait_for 10 "the list" list_is "$wanted"

# A subscriber is told, and its connection ends with the process; one that sends uses goes on.
mkfifo /tmp/subscriber /tmp/sender
socat - "UNIX-CONNECT:$control" </tmp/subscriber >/tmp/changes &
subscriber=$!
exec 3>/tmp/subscriber
printf '{"op":"subscribe","app":"com.example.news"}\n' >&3
socat - "UNIX-CONNECT:$events" </tmp/sender >/dev/null &
sender=$!
exec 4>/tmp/sender
subscribed() { [ "$(wc -l </tmp/changes)" -ge 1 ]; }
wait_for 10 "the subscription is answered" subscribed
printf 'com.example.news.read\n' >&4
told() { grep -q '"entered":\["com.example.news.read"\]' /tmp/changes; }
wait_for 10 "the subscriber is told" told
kill_it
gone() { ! kill -0 $subscriber; }
wait_for 10 "the subscriber's connection has ended" gone
check "the sender's has not" kill -0 $sender
printf 'com.example.news.read\n' >&4
wait_for 10 "what it sends is counted" uses_are com.example.news.read 2
exec 3>&- 4>&-
is "the list after the kill" "$(list)" "$wanted"
check "a restart succeeds" systemctl restart quickactions.service
is "the list after the restart" "$(list)" "$wanted"

# What is forgotten: in the state, its backup, the lists and the intake log before, in none of them after.
for round in 1 2 3; do ask "com.example.$word.read n=5" "com.example.$word.write#$word" >/dev/null; done
wait_for 10 "the uses are published" uses_are com.example.$word.read 15
check "files have it" holding
is "what is forgotten" "$(ask "{\"op\":\"forget\",\"app\":\"com.example.$word\"}" | jq -c 'select(.forget).forget')" \
  '{"actions":2,"uses":18}'
is "files that have it" "$(holding)" ""
send "com.example.$word.read"
wait_for 10 "it is used again" uses_are com.example.$word.read 1
printf '{"op":"forget","all":true}\n' | socat -t 5 - "UNIX-CONNECT:$control" >/dev/null
kill_it
ask >/dev/null
is "files that have it, where the kill came before a commit" "$(holding)" ""
is "uses that are left" "$(sqlite3 -readonly /var/lib/quickactions/state.db 'SELECT count(*) FROM actions')" 0
is "the list, without uses" "$(list)" \
  "com.example.mail.compose com.example.mail.archive com.example.mail.reply"

ask '{"op":"pause"}' >/dev/null
check "a restart succeeds" systemctl restart quickactions.service
is "uses in a pause" "$(ask "com.example.$word.read" | jq -c 'select(.sync).sync | [.accepted, .notRecorded, .durable]')" \
  '[0,1,true]'
is "files that have it" "$(holding)" ""
is "recording" "$(status .recording)" false
ask '{"op":"resume"}' >/dev/null
is "recording" "$(status .recording)" true
send "com.example.$word.read"
wait_for 10 "a use counts again" uses_are com.example.$word.read 1

rm $own/mail.json $vendor/mail.json
check "a reload succeeds" systemctl reload quickactions.service
untitled() { [ "$(list)" = "com.example.mail.archive com.example.mail.reply" ]; }
wait_for 10 "what left the catalogue leaves the list" untitled
is "titles and targets in the journal" "$(journalctl -b --no-pager -u quickactions.service | grep -cE "New Message|Reply|#$word")" 0
