#!/usr/bin/env bash
# Shows the real daemon at work on one person's week, in a temporary folder, and checks what it shows.
#
# It needs socat, jq and awk, and what was built (`make demo` sees to it all).
. "$(dirname "${BASH_SOURCE[0]}")/demo-lib.sh"

apps=(com.example.mail com.example.camera com.example.terminal)
run=$(run_of "$folder")
snapshots=$(state_of "$folder")/snapshots
lists=("$snapshots/top.tsv")
for app in "${apps[@]}"; do lists+=("$snapshots/apps/$app.tsv"); done

# Asks one thing on the control socket and prints the reply.
ask() { printf '%s\n' "$1" | timeout --foreground 10 socat -t 5 - "UNIX-CONNECT:$run/control.sock"; }

accepted_so_far() { ask '{"op":"status"}' | jq -e '.status.counters.accepted'; }
has_accepted() { [[ $(accepted_so_far) == "$1" ]]; }

generation() { jq -e .generation "$snapshots/top.json"; }

# Whether top.json is of a later generation than $1, and every list has four rows in the order of their scores, with
# exactly the uses that were sent and the scores that follow from them: added up here by awk from the files sent. A score
# may be 1 % off, since a file is left alone while nothing else would change.
snapshots_show() {
  [[ $(generation) -gt $1 ]] || return 1
  local list
  for list in "${lists[@]}"; do [[ -e $list ]] || return 1; done
  add_up "$folder"/*.sent >"$folder/expected"
  awk -F '\t' '
    function differs(what) { print FILENAME ": " what ": " $0; wrong = 1 }
    FILENAME ~ /\/expected$/ { uses[$1] = $2; score[$1] = $3; next }
    /^#/ { next }
    { rows[FILENAME]++ }
    $1 != rows[FILENAME] { differs("rank should be " rows[FILENAME]) }
    $1 > 1 && $3 + 0 > above { differs("score should not be above " above) }
    $4 != uses[$7] { differs("uses should be " uses[$7]) }
    $3 < 0.99 * score[$7] || $3 > 1.01 * score[$7] { differs("score should be " score[$7]) }
    { above = $3 + 0 }
    END {
      for (i = 1; i < ARGC; i++) if (ARGV[i] ~ /\.tsv$/ && rows[ARGV[i]] != 4) { print ARGV[i] ": should have 4 rows"; wrong = 1 }
      exit wrong
    }
  ' "$folder/expected" "${lists[@]}" >"$folder/differences"
}

# show_list FILE [OLDER]: one ranked list as a table; with OLDER, also how each row moved.
show_list() {
  awk -F '\t' -v older="${2-}" '
    function move(action, rank) {
      if (!(action in was)) return "new "
      if (was[action] > rank) return sprintf("↑%-3d", was[action] - rank)
      if (was[action] < rank) return sprintf("↓%-3d", rank - was[action])
      return "=   "
    }
    /^#/ { next }
    older != "" && FILENAME == older { was[$7] = $1; at[$1] = $7; next }
    {
      if (!rows++)
        printf "%4s  %s%10s  %6s  %-20s  %s\n", "rank", older == "" ? "" : "move  ", "score", "uses", "last use", "action"
      printf "%4d  %s%10s  %6d  %-20s  %s\n", $1, older == "" ? "" : move($7, $1) "  ", $3, $4, $5, $7
      stays[$7] = 1
    }
    END {
      if (!rows) exit 1
      for (rank = 1; rank in at; rank++) if (!(at[rank] in stays)) printf "      out, was %d: %s\n", rank, at[rank]
    }
  ' ${2:+"$2"} "$1" | indent
}

# The rank of action $2 in the list $1, or nothing.
rank_of() { awk -F '\t' -v action="$2" '$7 == action { print $1 }' "$1"; }
uses_of() { awk -F '\t' -v action="$2" '$7 == action { print $4 }' "$1"; }

need socat jq awk timeout

# ─────────────────────────────────────────────────────────────────────────────────────────────────────

step 'Start the daemon in a temporary folder, with a snapshot every second'
start_daemon "$folder"

step "Send one person's week, as a client that only talks: socat -u"
# In the file a time is seconds before the end of the week; here the week ends now.
ending_now demo/week.events >"$folder/week.sent"
week=$(count_records "$folder/week.sent")
say "demo/week.events: $week lines, for example"
tail -n 1 "$folder/week.sent" | indent
before=$(generation)
timeout --foreground 30 socat -u - "UNIX-CONNECT:$run/events.sock" <"$folder/week.sent"
wait_for 20 "the daemon to accept all $week lines" has_accepted "$week"
say "The daemon has accepted exactly $week lines."
wait_for 20 'a snapshot with the uses that were sent' snapshots_show "$before"
say 'A later snapshot shows exactly the uses that were sent, and the scores that awk works out from them.'

step 'What each app should offer now, and the best over all apps'
for app in "${apps[@]}"; do
  say "$app"
  show_list "$snapshots/apps/$app.tsv"
done
say 'all apps'
show_list "$snapshots/top.tsv"
mail=$snapshots/apps/com.example.mail.tsv
carol=com.example.mail.write#carol
bob=com.example.mail.write#bob
if [[ $(rank_of "$mail" $carol) -ge $(rank_of "$mail" $bob) || $(uses_of "$mail" $carol) -ge $(uses_of "$mail" $bob) ]]; then
  fail 'the newer habit (carol) should stand above the older one (bob), which has more uses'
fi
say "$carol stands above $bob with fewer uses: they are newer, and old uses weigh less."

step 'The same as JSON, for programs'
say "jq '{format, app, generation, computedAt, limit, first: .shortcuts[0]}' snapshots/apps/com.example.mail.json"
jq -e '{format, app, generation, computedAt, limit, first: .shortcuts[0]}' "$snapshots/apps/com.example.mail.json" | indent

step 'Send an afternoon with a new project, and ask when it has all been counted: {"op":"sync"}'
afternoon=$(count_records demo/afternoon.events)
cp demo/afternoon.events "$folder/afternoon.sent"
mkdir "$folder/older"
cp "${lists[@]}" "$folder/older/"
before=$(generation)
reply=$({ cat "$folder/afternoon.sent"; echo '{"op":"sync","seq":1}'; } |
  timeout --foreground 30 socat -t 20 - "UNIX-CONNECT:$run/events.sock")
say "reply: $reply"
jq -e --argjson n "$afternoon" '.sync | .seq == 1 and .accepted == $n and .duplicates == 0 and .refused == 0' \
  <<<"$reply" >/dev/null || fail "the reply to sync should say that $afternoon lines were accepted and none refused"
wait_for 20 'a snapshot with the afternoon in it' snapshots_show "$before"
for app in "${apps[@]}"; do
  say "$app"
  show_list "$snapshots/apps/$app.tsv" "$folder/older/$app.tsv"
done
say 'all apps'
show_list "$snapshots/top.tsv" "$folder/older/top.tsv"
dora=com.example.mail.write#dora
[[ -n $(rank_of "$mail" $dora) && $(rank_of "$mail" $dora) -lt $(rank_of "$mail" $carol) ]] ||
  fail 'the new project (dora) should have overtaken the former one (carol)'
say "$dora was not there before this afternoon and has overtaken $carol."

step 'Send a line that is wrong, and be told so'
bad='com.example.mail.compose n=0'
say "sent:  $bad"
reply=$(printf '%s\n' "$bad" | timeout --foreground 10 socat -t 5 - "UNIX-CONNECT:$run/events.sock")
say "reply: $reply"
jq -e '.error | .line == 1 and .code == "invalidCount"' <<<"$reply" >/dev/null ||
  fail 'the reply should be an error with line 1 and code invalidCount'

step 'Ask the daemon for its own counters'
status=$(ask '{"op":"status"}')
say "jq '.status | {accepted: .counters.accepted, duplicates: .counters.duplicates, refused: .refused | with_entries(select(.value > 0))}'"
jq -e '.status | {accepted: .counters.accepted, duplicates: .counters.duplicates, refused: .refused | with_entries(select(.value > 0))}' \
  <<<"$status" | indent
jq -e --argjson n $((week + afternoon)) '
  .status | .counters.accepted == $n and .counters.duplicates == 0
    and ([.refused[]] | add) == 1 and .refused.invalidCount == 1
' <<<"$status" >/dev/null || fail "status should count $((week + afternoon)) accepted lines and the one that was refused"

step 'Let the lists adapt, as they do unless the settings say otherwise: the settings are read again at SIGHUP'
settle "$folder"
kill -HUP "$daemon_pid"
adapts() { [[ $(jq -r .method.kind "$snapshots/apps/com.example.mail.json") == adaptive ]]; }
wait_for 10 'a list that adapts' adapts
say "jq -c .method snapshots/apps/com.example.mail.json"
jq -ec .method "$snapshots/apps/com.example.mail.json" | indent
step 'How often the next use was on the menu: quickactions stats'
"$client" stats com.example.mail --runtime-dir "$(run_of "$folder")" | indent
trials=$(ask '{"op":"stats"}' | jq -e .stats.trials)
((trials == afternoon)) || fail "every line of the afternoon should be a trial, not $trials of $afternoon"
say "The afternoon's $afternoon lines were judged by what the files had shown before them; the week's were history."

step 'Stop the daemon: SIGTERM'
stop_daemon "$daemon_pid"
remove_folder

printf '\nDone: %d lines sent, %d accepted, 1 refused and named; uses, scores and order as worked out by awk.\n' \
  $((week + afternoon + 1)) $((week + afternoon))
