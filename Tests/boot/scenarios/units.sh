# The unit files themselves: no complaint, and an exposure of at most 1.0.
. /boot-test/lib.sh

names=(quickactions.service quickactions.socket quickactions-control.socket)
quiet() {
  local words
  words=$("$@" 2>&1) || fail "$*: $words"
  [ -z "$words" ] || fail "$*: $words"
  say "ok: $*"
}
quiet systemd-analyze verify --man=no "${names[@]/#//usr/lib/systemd/system/}"
export XDG_RUNTIME_DIR=/run
quiet systemd-analyze --user verify --man=no "${names[@]/#//usr/lib/systemd/user/}"

# The threshold is in tenths.
words=$(systemd-analyze security --offline=true --threshold=10 /usr/lib/systemd/system/quickactions.service) ||
  fail "the exposure is over 1.0: $words"
say "ok: ${words##*→ }"
