#!/bin/sh
# Fuzzes the grammar of lines:  scripts/fuzz.sh SECONDS [libFuzzer option]...
#
# The seeds in Tests/Fuzz/corpus stay as they are; what is found goes to a temporary folder. An input that breaks
# something is kept under .build-fuzz/crashes, and the exit status is not zero.
set -eu

case "${1:-}" in
  '' | *[!0-9]*) echo "usage: scripts/fuzz.sh SECONDS [libFuzzer option]..." >&2; exit 64 ;;
esac
seconds=$1
shift
cd "$(dirname "$0")/.."

# Optimised, with every check that a release has; a trap must end the process, not wait for a backtrace.
QUICKACTIONS_FUZZ=1 swift build --scratch-path .build-fuzz -c release --sanitize=fuzzer --product LineGrammarFuzz
export SWIFT_BACKTRACE=enable=no

crashes=.build-fuzz/crashes
mkdir -p "$crashes"
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT INT TERM

status=0
.build-fuzz/release/LineGrammarFuzz -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=1024 \
  -print_final_stats=1 -artifact_prefix="$crashes/" "$@" "$found" Tests/Fuzz/corpus/line-grammar || status=$?

if [ "$status" -ne 0 ]; then
  echo "fuzz: failed with status $status; inputs that break something:" >&2
  ls -l "$crashes" >&2
fi
exit "$status"
