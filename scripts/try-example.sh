#!/usr/bin/env bash
# Builds docs/examples/jump-list as a package outside of this one would be built, and runs it against a daemon of its own.
#
# QUICKACTIONSD names another daemon than .build/debug/quickactionsd. Takes half a minute the first time.
set -Eeuo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

daemon=${QUICKACTIONSD:-.build/debug/quickactionsd}
scratch=.build-example
folder=$(mktemp -d)
daemon_pid=

clean_up() {
  local status=$?
  trap - EXIT
  if [[ -n $daemon_pid ]]; then
    kill -TERM "$daemon_pid" 2>/dev/null || :
    wait "$daemon_pid" || :
  fi
  if ((status != 0)); then sed 's/^/  | /' "$folder"/*.log >&2 || :; fi
  rm -rf -- "$folder"
  exit "$status"
}
trap clean_up EXIT
trap 'echo "example: FAILED at line $LINENO: $BASH_COMMAND" >&2' ERR
trap 'exit 130' INT
trap 'exit 143' TERM

timeout 300 swift build --package-path docs/examples/jump-list --scratch-path "$scratch"

printf '[Snapshot]\nInterval=100ms\n' >"$folder/settings"
"$daemon" --runtime-dir "$folder/run" --state-dir "$folder/state" --config "$folder/settings" 2>"$folder/daemon.log" &
daemon_pid=$!

# Waits for a file, 10 s at most.
await() {
  local deadline=$((SECONDS + 10))
  until [[ -e $1 ]]; do
    ((SECONDS < deadline))
    sleep 0.05
  done
}

await "$folder/run/control.sock"
# The first run makes the list change, and the second one finds it published.
for run in Changed Published; do
  timeout 60 "$scratch/debug/jump-list" "$folder/run" "$folder/state" >"$folder/$run.log"
  grep -qx "$run" "$folder/$run.log"
  tail -n 2 "$folder/$run.log" | head -n 1 | grep -qx '  1\. Write to Bob'
done
echo 'example: builds and runs'
