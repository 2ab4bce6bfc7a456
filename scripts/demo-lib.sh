# What the demos have in common; a demo sources this first.
#
# It goes to the top of the repository, makes a temporary folder, and sees to it that on every way out whatever was
# started is ended and the folder removed. Anything that is not exactly as it should be ends a demo with status 1, the
# reason and the daemons' logs. QUICKACTIONSD and QUICKACTIONS name other programs than those in .build/release.
set -Eeuo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

daemon=$(realpath -m "${QUICKACTIONSD:-.build/release/quickactionsd}")
client=$(realpath -m "${QUICKACTIONS:-.build/release/quickactions}")
folder=
daemon_pid=
# The processes that run, to be ended on the way out.
started=()

step_number=0
step() {
  step_number=$((step_number + 1))
  printf '\n── %d. %s\n' "$step_number" "$*"
}
say() { printf '   %s\n' "$*"; }
indent() { sed 's/^/   /'; }

fail() {
  printf 'demo: FAILED: %s\n' "$*" >&2
  exit 1
}

running() { kill -0 "$1" 2>/dev/null; }

clean_up() {
  local status=$? process deadline=$((SECONDS + 5))
  trap - EXIT ERR INT TERM HUP PIPE
  set +e
  for process in "${started[@]}"; do kill -TERM "$process" 2>/dev/null; done
  for process in "${started[@]}"; do
    while running "$process" && ((SECONDS < deadline)); do sleep 0.05; done
    if running "$process"; then kill -KILL "$process" 2>/dev/null; fi
    wait "$process" 2>/dev/null
  done
  if ((status != 0 && status < 128)) && [[ -n $folder ]]; then
    show_end "the daemon's log" "$folder"/daemon.log "$folder"/*/daemon.log
    show_end 'what the last look found wrong' "$folder/differences"
  fi
  if [[ -n $folder ]]; then rm -rf -- "$folder"; fi
  exit "$status"
}
trap clean_up EXIT
trap 'echo "demo: FAILED at line $LINENO: $BASH_COMMAND" >&2' ERR
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 141' PIPE
trap 'exit 143' TERM

# show_end WHAT FILE…: the end of each file that is there and not empty.
show_end() {
  local what=$1 file
  shift
  for file in "$@"; do
    [[ -s $file ]] || continue
    printf 'demo: the end of %s (%s):\n' "$what" "${file#"$folder/"}" >&2
    tail -n 40 "$file" | sed 's/^/  | /' >&2
  done
}

need() {
  local tool
  for tool in "$@"; do
    command -v "$tool" >/dev/null || fail "$tool is missing: scripts/install-dependencies.sh demo"
  done
}

# wait_for SECONDS WHAT COMMAND…: waits until COMMAND succeeds, at most SECONDS and only while the daemon lives.
wait_for() {
  local deadline=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    running "$daemon_pid" || fail "the daemon ended by itself while the demo waited for $what"
    ((SECONDS < deadline)) || fail "waited too long for $what"
    sleep 0.05
  done
}

# The folders of the daemon in the place $1, where a person's own daemon has them below XDG_RUNTIME_DIR and XDG_STATE_HOME.
run_of() { echo "$1/run/quickactions"; }
state_of() { echo "$1/state/quickactions"; }

has_started() { [[ -S $(run_of "$1")/events.sock && -S $(run_of "$1")/control.sock && -e $(state_of "$1")/snapshots/top.json ]]; }

# Settings by which awk can work out every list: one half-life, and an order that goes by the score alone.
exact=$'[Ranking]\nMethod=fixed\nSwapMargin=0%\nKeepPlaces=no\n'

# settle PLACE [SETTINGS]: the settings of the daemon there, with a snapshot every second.
settle() { printf '[Snapshot]\nInterval=1s\n%s' "${2-}" >"$1/quickactions.conf"; }

# start_daemon PLACE OPTION…: in the place, with exact lists; daemon_pid is its process then.
start_daemon() {
  local place=$1
  shift
  mkdir -p "$place"
  settle "$place" "$exact"
  set -- --runtime-dir "$(run_of "$place")" --state-dir "$(state_of "$place")" --config "$place/quickactions.conf" "$@"
  say "quickactionsd $*"
  env -u NOTIFY_SOCKET -u WATCHDOG_USEC -u LISTEN_FDS -u LISTEN_PID "$daemon" "$@" </dev/null >"$place/daemon.log" 2>&1 &
  daemon_pid=$!
  started+=("$daemon_pid")
  wait_for 15 'its sockets and first snapshot' has_started "$place"
  say "It runs as process $daemon_pid, listens, and has written its first snapshot."
}

# Waits for the end of a process that was told to end, and checks that it ended well.
has_ended() {
  local deadline=$((SECONDS + 10)) ended=0 left=() process
  while running "$1"; do
    ((SECONDS < deadline)) || fail "process $1 did not end within 10 s of being told to"
    sleep 0.05
  done
  wait "$1" || ended=$?
  for process in "${started[@]}"; do [[ $process == "$1" ]] || left+=("$process"); done
  started=("${left[@]}")
  ((ended == 0)) || fail "process $1 ended with status $ended instead of 0"
}

# Ends the daemon $1 as an administrator would.
stop_daemon() {
  kill -TERM "$1"
  has_ended "$1"
  say "The daemon $1 has ended with status 0."
}

remove_folder() {
  rm -rf -- "$folder"
  folder=
  say 'The temporary folder is gone.'
}

# Events from a file in which t=-N means N seconds before the end: the end is now.
ending_now() {
  awk -v now="$(date +%s)" -v CONVFMT=%.0f '
    !/^#/ { for (i = 2; i <= NF; i++) if ($i ~ /^t=-/) $i = "t=" (now - substr($i, 4)) }
    { print }
  ' "$1"
}

# add_up FILE…: each action of files that were sent with its uses and its score now, between tabs.
add_up() {
  awk -v now="$(date +%s)" '
    /^#/ || /^[ \t]*$/ { next }
    {
      n = 1; t = now
      for (i = 2; i <= NF; i++) {
        if ($i ~ /^n=/) n = substr($i, 3)
        if ($i ~ /^t=/) t = substr($i, 3)
      }
      uses[$1] += n
      score[$1] += n * 2 ^ ((t - now) / (7 * 86400))
    }
    END { for (action in uses) printf "%s\t%d\t%.9g\n", action, uses[action], score[action] }
  ' "$@"
}

# How many lines of a file are records: empty lines and comments are skipped by the daemon too.
count_records() { awk '!/^[ \t\r]*$/ && !/^#/ { n++ } END { print n + 0 }' "$1"; }

for program in "$daemon" "$client"; do [[ -x $program ]] || fail "$program is not there: make build"; done
folder=$(mktemp -d "${TMPDIR:-/tmp}/quickactions-demo.XXXXXX")
((${#folder} <= 70)) || fail "the path of $folder is too long for a socket: set TMPDIR to a shorter one"
