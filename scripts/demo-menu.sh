#!/usr/bin/env bash
# Shows what a person and a program can do with the client `quickactions`, from nothing: a catalogue, actions that are
# registered, a week of uses, and everything that steers them. It checks what it shows.
#
# It needs jq, awk, tmux and python3-jsonschema, and what was built (`make demo` sees to it all).
. "$(dirname "${BASH_SOURCE[0]}")/demo-lib.sh"

app=com.example.notes
shopping=$app.open#shopping
lisbon=$app.open#lisbon
diary=$app.open#diary
samples=(etc/catalogue.d/*.json)

# The client and the daemon find each other by these, so that the commands are those that anybody would type.
export XDG_RUNTIME_DIR=$folder/run XDG_STATE_HOME=$folder/state XDG_CONFIG_HOME=$folder/config
unset NO_COLOR
other=$folder/other

# Words as one would type them.
quoted() {
  local word
  for word in "$@"; do
    if [[ $word =~ ^[A-Za-z0-9_./:=@%+,#-]+$ ]]; then printf ' %s' "$word"; else printf ' %s' "${word@Q}"; fi
  done
}

# show STATUS ARGUMENT…: runs the client, shows the command and what it says, and checks its status. `said` has its words.
show() {
  local wanted=$1 status=0
  shift
  say "\$ quickactions$(quoted "$@")"
  said=$(timeout --foreground 30 "$client" "$@" 2>&1 </dev/null) || status=$?
  [[ -z $said ]] || indent <<<"$said"
  ((status == wanted)) || fail "the exit status should be $wanted and is $status"
}

says() { [[ $said == *"$1"* ]] || fail "that should say: $1"; }

# The rows of a list: rank, kind, action, uses, title.
rows() {
  "$client" top "$@" --json |
    jq -r '.shortcuts[] | "\(.rank) \(.kind) \(.type)\(if .target then "#" + .target else "" end) \(.uses) \(.localizedTitle // "–")"'
}

# Checks the list of the app against rows given on standard input.
list_is() {
  local wanted found
  wanted=$(cat)
  found=$(rows $app)
  [[ $found == "$wanted" ]] || fail "the list should be"$'\n'"$wanted"$'\n'"and is"$'\n'"$found"
}

# Checks the uses and scores of all of the app's actions that were used against what awk adds up from the file sent.
adds_up() {
  add_up "$folder/notes.sent" >"$folder/expected"
  "$client" top $app -n 100 --json |
    jq -r '.shortcuts[] | select(.uses > 0) | [.type + (if .target then "#" + .target else "" end), .uses, .score] | @tsv' \
      >"$folder/found"
  awk -F '\t' '
    NR == FNR { uses[$1] = $2; score[$1] = $3; wanted++; next }
    { found++ }
    $2 != uses[$1] || $3 < 0.999 * score[$1] || $3 > 1.001 * score[$1] {
      print $0 ": should be " uses[$1] " and " score[$1]; wrong = 1
    }
    END { exit wrong || !wanted || found != wanted }
  ' "$folder/expected" "$folder/found" >"$folder/differences" || fail 'uses and scores should be those that awk adds up'
}

# The files of the daemon that hold a text: its state, what is in its runtime folder, and its log.
holding() { (cd "$folder" && grep -rlaF -- "$1" run state daemon.log | sort) || :; }

# Everything that a daemon knows of uses, but for times and scores.
knows() {
  local options=(--runtime-dir "$(run_of "$1")") name
  "$client" apps --json "${options[@]}" | jq -r '.apps[].app' | while read -r name; do
    echo "$name"
    rows "$name" -n 100 "${options[@]}"
  done
}

screen() { tmux -S "$folder/tmux" capture-pane -p -t watch; }

# Whether the screen of `watch` has these titles in this order, and with the second argument a row with that mark.
screen_shows() {
  local shown
  shown=$(screen 2>/dev/null) || return 1
  [[ $(grep -oE "${1// then /|}" <<<"$shown" | paste -sd '|' | sed 's/|/ then /g') == "$1" && $shown == *"${2-}"* ]]
}

need jq awk timeout tmux /usr/bin/python3
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || fail 'python3-jsonschema is missing: scripts/install-dependencies.sh demo'

# ─────────────────────────────────────────────────────────────────────────────────────────────────────

step 'Check catalogue files before a daemon reads them'
mkdir "$folder/catalogue.d"
cp demo/Info.plist "$folder/catalogue.d/$app.plist"
show 0 validate "${samples[@]}" "$folder/catalogue.d/$app.plist"
says "3 actions of $app"
sed 's/"static"/"sticky"/' etc/catalogue.d/com.example.mail.json >"$folder/wrong.json"
show 1 validate "$folder/wrong.json"
says "$folder/wrong.json:7:15: kind has a value that is not allowed"
for file in "${samples[@]}"; do
  say "\$ python3 -m jsonschema -i $file docs/catalogue.schema.json"
  /usr/bin/python3 -m jsonschema -i "$file" docs/catalogue.schema.json || fail "$file should keep to the schema"
done
if /usr/bin/python3 -m jsonschema -i "$folder/wrong.json" docs/catalogue.schema.json 2>/dev/null; then
  fail 'the wrong file should not keep to the schema'
fi
say 'The samples keep to the JSON Schema, and the wrong file does not.'

step "Start the daemon with the Info.plist of an app that was never used"
start_daemon "$folder" --catalogue-dir "$folder/catalogue.d"
first=$daemon_pid
show 0 top $app
list_is <<EOT
1 static $app.write 0 New Note
2 static $app.scan 0 Scan a Document
3 static $app.search 0 Search
EOT
say 'Its three static actions are offered already, in the order of the file.'

step 'Register two dynamic actions, as the app does while it runs'
show 0 define $shopping --title 'Shopping List' --icon symbol:cart --user-info '{"note":17}'
show 0 define $lisbon --title 'Packing for Lisbon' --subtitle Trip

step "Send one person's week"
ending_now demo/notes.events >"$folder/notes.sent"
week=$(count_records "$folder/notes.sent")
say "\$ quickactions use - --json <notes.events    # $week lines, such as: $(tail -n 1 "$folder/notes.sent")"
said=$("$client" use - --json <"$folder/notes.sent")
indent <<<"$said"
jq -e --argjson n "$week" '.accepted == $n and .refused == 0 and .durable' <<<"$said" >/dev/null ||
  fail "$week lines should be accepted, and on the disk"
adds_up
show 0 top $app
list_is <<EOT
1 static $app.write 8 New Note
2 static $app.scan 1 Scan a Document
3 static $app.search 0 Search
4 dynamic $shopping 35 Shopping List
EOT
show 0 top
say 'Uses and scores are those that awk adds up. The static actions come first, whatever their scores; over all apps'
say 'the score alone decides, and an action that nobody has registered has a place, too.'

step 'Ask why an action is in the list, and another is not'
show 0 explain $shopping
says "$shopping (“Shopping List”) has rank 4 of at most 4"
show 0 explain $lisbon
says "$lisbon (“Packing for Lisbon”) is not in the list of $app: 4 actions fit in"
[[ $said =~ 'To pass it takes '([0-9]+)' more uses now' ]] || fail 'that should say how many more uses it takes'
missing=${BASH_REMATCH[1]}

step 'Pin an action: it stands right behind the static ones'
show 0 pin $lisbon
list_is <<EOT
1 static $app.write 8 New Note
2 static $app.scan 1 Scan a Document
3 static $app.search 0 Search
4 dynamic $lisbon 29 Packing for Lisbon
EOT
show 0 top $app
show 0 unpin $lisbon

step 'Block an action: it is gone, with its uses, and counts no more'
show 0 block $app.scan
says '1 use forgotten'
show 1 use $app.scan
says 'blocked'
show 0 top $app
list_is <<EOT
1 static $app.write 8 New Note
2 static $app.search 0 Search
3 dynamic $shopping 35 Shopping List
4 dynamic $lisbon 29 Packing for Lisbon
EOT

step "Watch the list, and use an action as often as it takes to pass the other: $missing times"
# Its server stays in the foreground, so that it is a process of this demo, to be waited for and ended.
env -u TMUX LC_ALL=C.UTF-8 TERM=xterm-256color tmux -u -S "$folder/tmux" -f /dev/null -D >"$folder/tmux.log" 2>&1 &
terminal=$!
started+=("$terminal")
open_terminal() { tmux -S "$folder/tmux" -N new-session -d -s watch -x 88 -y 10 "$client" watch $app 2>/dev/null; }
wait_for 10 'tmux' open_terminal
wait_for 10 'the list on the terminal' screen_shows 'New Note then Search then Shopping List then Packing for Lisbon'
say '$ quickactions watch com.example.notes'
screen | indent
show 0 use $lisbon -n "$missing"
wait_for 20 'the new order on the terminal' screen_shows 'New Note then Search then Packing for Lisbon then Shopping List' '↑'
screen | indent
tmux -S "$folder/tmux" send-keys -t watch q
is_over() { ! tmux -S "$folder/tmux" has-session -t watch 2>/dev/null; }
wait_for 10 'the end of the watching client' is_over
tmux -S "$folder/tmux" kill-server
has_ended "$terminal"

step 'Forget an action: nothing of it is left in any file'
before=$(holding diary)
[[ $before == *state/quickactions/state.db* ]] || fail 'the database should hold the id of an action that was used'
say 'Files of the daemon that hold the word "diary":'
indent <<<"$before"
show 1 forget $diary
says 'say --yes to do it'
show 0 forget $diary --yes
says '9 uses'
left=$(holding diary)
[[ -z $left ]] || fail "nothing should hold the word \"diary\", and these do: $left"
say 'None holds it now.'

step 'Import the history of a shell, twice'
now=$(date +%s)
printf '#%d\n%s\n' $((now - 90000)) 'git commit -a' $((now - 86000)) 'LANG=C make test' $((now - 5000)) 'vim notes.md' \
  $((now - 400)) 'git push' >"$folder/.bash_history"
show 0 import "$folder/.bash_history"
says '4 counted, 0 known already'
show 0 import "$folder/.bash_history"
says '0 counted, 4 known already'
show 0 top bash
[[ $(rows bash) == $'1 dynamic bash.git 2 –\n2 dynamic bash.vim 1 –\n3 dynamic bash.make 1 –' ]] ||
  fail 'the list of bash should be git with 2 uses, vim and make with 1'

step 'Give everything to a second daemon'
show 0 export "$folder/everything.jsonl"
start_daemon "$other" --catalogue-dir "$folder/catalogue.d"
show 0 import "$folder/everything.jsonl" --runtime-dir "$(run_of "$other")"
knows "$folder" >"$folder/known"
knows "$other" >"$folder/known-there"
diff "$folder/known" "$folder/known-there" >"$folder/differences" || fail 'the second daemon should know the same'
indent <"$folder/known-there"
show 0 explain $app.scan --runtime-dir "$(run_of "$other")"
says 'it is blocked'
say 'It has the same uses, titles and ranks, and the same action is blocked.'

step 'Stop both, and look at what was published; steering needs a daemon'
stop_daemon "$daemon_pid"
stop_daemon "$first"
show 0 --user top $app
[[ $said =~ 'published '('just now'|[0-9]+' '[a-z]+' ago')", in $folder/state/quickactions" ]] || fail 'that should say how old the list is, and where'
list_is <<EOT
1 static $app.write 8 New Note
2 static $app.search 0 Search
3 dynamic $lisbon $((29 + missing)) Packing for Lisbon
4 dynamic $shopping 35 Shopping List
EOT
show 69 --user pin $lisbon
says 'start it with'
remove_folder

printf '\nDone: a list from a catalogue, from registered actions and from use; explained, pinned, blocked, watched, forgotten,\n'
printf 'imported and handed on, each as it should be.\n'
