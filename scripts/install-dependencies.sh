#!/usr/bin/env bash
# Installs what is missing to build, test or show the project, from Debian's archive.
#
#     scripts/install-dependencies.sh [build] [test] [demo] [bench] [profile]      (default: the first three)
#
# Looks first, by dpkg-query and without the network; if everything is there it does nothing and says nothing. Debian 12
# is what it knows; elsewhere it names what is needed and leaves the rest to the build. Swift is not in Debian 12's
# archive: it is only checked.
set -euo pipefail

swift_needed=6.3

say() { printf 'dependencies: %s\n' "$*"; }
fail() {
  printf 'dependencies: %s\n' "$*" >&2
  exit 1
}

packages_for() {
  case $1 in
    build) echo libsystemd-dev libglib2.0-dev libsqlite3-dev zlib1g-dev pkg-config libc6-dev ;;
    test)
      echo socat jq sqlite3 strace systemd dbus util-linux mount coreutils python3 python3-jsonschema python3-numpy tmux \
        redis-server
      ;;
    demo) echo socat jq tmux python3 python3-jsonschema ;;
    # Debian's package also starts a server of its own, as a service; nothing here uses or needs that one.
    bench) echo python3 redis-server ;;
    profile) echo python3 linux-perf valgrind binutils ;;
    *)
      printf 'usage: %s [build] [test] [demo] [bench] [profile]\n' "${0##*/}" >&2
      exit 64
      ;;
  esac
}

# Whether dpkg has the package, of any architecture, completely installed.
installed() { dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed; }

# Succeeds if swift is there and is at least $swift_needed.
check_swift() {
  local wanted="a Swift toolchain, version $swift_needed or later, is needed: see https://www.swift.org/install/linux/"
  command -v swift >/dev/null || fail "swift is not in PATH; $wanted"
  local banner version
  banner=$(swift --version 2>/dev/null) || fail "swift --version fails; $wanted"
  version=$(sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' <<<"$banner" | sed -n 1p)
  [[ -n $version ]] || fail "swift --version names no version; $wanted"
  [[ $(printf '%s\n' "$swift_needed" "$version" | sort -V | sed -n 1p) == "$swift_needed" ]] ||
    fail "this is Swift $version; $wanted"
}

(($# > 0)) || set -- build test demo

wanted=()
for purpose in "$@"; do
  names=$(packages_for "$purpose") || exit
  for name in $names; do
    [[ " ${wanted[*]-} " == *" $name "* ]] || wanted+=("$name")
  done
done

for purpose in "$@"; do
  if [[ $purpose == build || $purpose == test ]]; then
    check_swift
    break
  fi
done

if ! command -v dpkg-query >/dev/null; then
  say "this is not Debian, so nothing was checked; needed are the counterparts of: ${wanted[*]}"
  exit 0
fi

missing=()
for name in "${wanted[@]}"; do
  installed "$name" || missing+=("$name")
done
((${#missing[@]} > 0)) || exit 0

as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null ||
    fail "missing: ${missing[*]}; run as root: apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
  as_root=(sudo)
fi

say "installing ${missing[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"

for name in "${missing[@]}"; do
  installed "$name" || fail "apt-get succeeded but $name is still not installed"
done
say 'all there'
