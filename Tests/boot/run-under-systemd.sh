#!/bin/bash
# Boots a real systemd as process 1 of private namespaces, runs one scenario in it, prints what
# the scenario said, and takes everything down again.
#
#   run-under-systemd.sh [-d DAEMON] [-b SRC:DST]... [-u UNIT]... [-r DIR] [-t SECONDS] [-o DIR] [-v]
#                        SCENARIO [ARGUMENT...]
#   run-under-systemd.sh -c
#
#   -d DAEMON   install this build of quickactionsd, and the client beside it, with the repository's units, by install.mk
#   -b SRC:DST  show the file or folder SRC as DST inside; may be repeated
#   -u UNIT     put this unit file into /etc/systemd/system inside; may be repeated
#   -r DIR      the file system to start from, never written to; default /
#   -t SECONDS  limit for the whole run, default 60
#   -o DIR      copy here what the scenario leaves in $OUT
#   -v          print the whole journal, too
#   -c          only find out whether this machine lets us do it: 0, or 125 and why not
#
# The exit status is the scenario's; 124 past the limit; 125 if there was no system to run it in.
#
# Needs root, overlayfs, a cgroup2 mount, util-linux and systemd. Nothing on the host is changed:
# the namespaces (mounts, processes, host name, IPC, network, cgroups) are new, /sys and /proc/sys
# are read-only in them, and process 1 starts without the capabilities to set the clock, load
# modules or reboot. Inside, the scenario is /boot-test/scenario with lib.sh and, read-only, the
# repository as repo/ beside it.
set -u
# The root folder of the other system gets its mode from here: whoever runs this may let nobody in by default.
umask 022

here=$(dirname "$(readlink -f "$0")")
repo=$(readlink -f "$here/../..")

die() { echo "run-under-systemd: $*" >&2; exit 125; }
usage() { sed -n '/^#   run-under/,/^# The exit/p' "$0" | sed '$d; s/^# \{0,1\}//' >&2; exit 125; }

root=/ limit=60 verbose=no check=no out='' daemon='' binds=() units=()
while getopts d:b:u:r:t:o:vc option; do
  case $option in
    d) daemon=$(readlink -f "$OPTARG") && [ -x "$daemon" ] || die "$OPTARG is not a program" ;;
    b) binds+=("$(readlink -f "${OPTARG%%:*}"):${OPTARG#*:}") ;;
    u) units+=("$OPTARG") ;;
    r) root=$(readlink -f "$OPTARG") ;;
    t) limit=$OPTARG ;;
    o) out=$OPTARG ;;
    v) verbose=yes ;;
    c) check=yes ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))

[ "$(id -u)" = 0 ] || die "only root can make these namespaces"
for tool in /lib/systemd/systemd unshare setpriv make jq socat; do
  command -v $tool >/dev/null || die "$tool is not installed"
done
cgroups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
[ -n "$cgroups" ] || die "no cgroup2 file system is mounted"

if [ $check = yes ]; then
  words=$(unshare --mount --pid --fork --uts --ipc --net --cgroup -- /bin/sh -ec '
    mount -t tmpfs probe /mnt
    mkdir /mnt/upper /mnt/scratch /mnt/view
    mount -t overlay -o lowerdir="$1",upperdir=/mnt/upper,workdir=/mnt/scratch overlay /mnt/view' sh "$root" 2>&1) ||
    die "no namespaces or no overlay file system: $words"
  exit 0
fi

[ $# -ge 1 ] || usage
[ -r "$1" ] || die "cannot read the scenario $1"
scenario=$(readlink -f "$1")
shift

# The service cannot look into home folders, so a daemon whose libraries are there cannot start.
if [ -n "$daemon" ] && ldd "$daemon" 2>/dev/null | grep -Eq '=> /(home|root)/'; then
  die "$daemon uses libraries in a home folder, which the unit hides: build it with --static-swift-stdlib"
fi

# --- A scratch folder and a cgroup, and their end, whatever happens -----------------------------

work=$(mktemp -d /tmp/boot-test.XXXXXX) || die "no scratch folder"
cgroup=$cgroups$(awk -F: '$1 == "0" { print $3 }' /proc/self/cgroup)
cgroup=${cgroup%/}/boot-test-$$
machine='' timer=''

cleanup() {
  trap '' INT TERM HUP
  # All the mounts are in the namespaces and go with their last process. Process 1 in there goes
  # with `unshare`, and everything else with process 1.
  # KILL, as whoever started this script may have left it with TERM blocked.
  [ -z "$timer" ] || kill -KILL "$timer" 2>/dev/null
  [ -z "$machine" ] || kill -KILL "$machine" 2>/dev/null
  wait 2>/dev/null
  # A cgroup can be removed once its last process has been reaped.
  for _ in {1..100}; do
    [ -d "$cgroup" ] || break
    find "$cgroup" -depth -type d -exec rmdir {} + 2>/dev/null && break
    [ ! -e "$cgroup/cgroup.kill" ] || echo 1 >"$cgroup/cgroup.kill"
    sleep 0.05
  done
  [ ! -d "$cgroup" ] || echo "run-under-systemd: $cgroup is left behind" >&2
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

mkdir "$cgroup" || die "no cgroup"
mkdir "$work"/{in,out,units,root}
: >"$work/console.log" >"$work/said.log"
install -m 755 "$scenario" "$work/in/scenario"
install -m 644 "$here/lib.sh" "$work/in/lib.sh"
mkdir "$work/in/repo"
[ -z "$daemon" ] || cp "$daemon" "${daemon%/*}/quickactions" "$work/in/" || die "no client beside $daemon"
[ ${#units[@]} = 0 ] || cp "${units[@]}" "$work/units/" || exit 125
# Arguments may hold any byte, and a command line in a unit may not.
{ [ $# = 0 ] || printf '%s\0' "$@"; } >"$work/in/arguments"
cat >"$work/in/start" <<'EOF'
mapfile -d '' -t arguments </boot-test/arguments
exec /bin/bash /boot-test/scenario "${arguments[@]}"
EOF

# --- What runs inside, as process 1, until it becomes systemd -----------------------------------

cat >"$work/inside" <<'EOF'
set -eu
work=$1 root=$2 repo=$3
shift 3
mount --make-rprivate /

# A writable view of the root file system, whose changes live in memory.
mount -t tmpfs -o mode=755 boot-test "$work/root"
cd "$work/root"
mkdir upper scratch view
mount -t overlay -o lowerdir="$root",upperdir=upper,workdir=scratch overlay view
cd view

mkdir -p proc sys dev run tmp boot-test
mount -t proc -o nosuid,nodev,noexec proc proc
# systemd raises this at boot, where /proc/sys is writable: 10 datagrams are few for a queue.
echo 512 >proc/sys/net/unix/max_dgram_qlen || :
for path in proc/sys proc/sysrq-trigger; do
  [ -e $path ] || continue
  mount --bind $path $path
  mount -o remount,bind,ro,nosuid,nodev,noexec $path
done
mount -t sysfs -o ro,nosuid,nodev,noexec sysfs sys
mount -t cgroup2 -o nosuid,nodev,noexec cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755,nosuid tmpfs dev
mkdir dev/pts dev/shm
for node in null zero full random urandom tty; do : >dev/$node; mount --bind /dev/$node dev/$node; done
ln -s /proc/self/fd dev/fd
ln -s fd/0 dev/stdin
ln -s fd/1 dev/stdout
ln -s fd/2 dev/stderr
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5,nosuid,noexec devpts dev/pts
ln -s pts/ptmx dev/ptmx
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs dev/shm
mount -t tmpfs -o mode=755,nosuid,nodev tmpfs run
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs tmp

# A machine of its own, with an empty journal and nothing enabled.
: >etc/fstab
rm -rf etc/systemd/system/*.wants etc/systemd/system/*.requires var/log/journal
rm -f etc/machine-id
od -An -N16 -tx1 /dev/urandom | tr -d ' \n' >etc/machine-id
echo >>etc/machine-id
echo boot-test >etc/hostname
mkdir -p etc/systemd/system etc/systemd/journald.conf.d
printf '[Journal]\nStorage=volatile\nRateLimitIntervalSec=0\n' >etc/systemd/journald.conf.d/boot-test.conf
for unit in systemd-{timesyncd,networkd,resolved,udevd,udev-trigger,modules-load,sysctl,binfmt,pstore}.service \
  systemd-{random-seed,logind,hwdb-update,journal-flush}.service proc-sys-fs-binfmt_misc.automount getty.target; do
  ln -sf /dev/null etc/systemd/system/$unit
done

mount --bind "$work/in" boot-test
mount --bind "$repo" boot-test/repo
mount -o remount,bind,ro boot-test/repo
mkdir run/boot-test
mount --bind "$work/out" run/boot-test
: >run/boot-test.log
mount --bind "$work/said.log" run/boot-test.log

# As an administrator would install it, on a machine that never had it.
rm -rf etc/quickactions var/lib/quickactions etc/systemd/{system,user}/quickactions*
if [ -e boot-test/quickactionsd ]; then
  make -s -C "$repo" -f install.mk install-files PREFIX=/usr DESTDIR="$PWD" DAEMON="$PWD/boot-test/quickactionsd" \
    CLIENT="$PWD/boot-test/quickactions" >/dev/null
fi
cp "$work"/units/* etc/systemd/system/ 2>/dev/null || :

# The scenario is a unit, and its exit status becomes that of process 1.
cat >etc/systemd/system/boot-test.target <<'UNIT'
[Unit]
Requires=basic.target boot-test.service
After=basic.target
AllowIsolate=yes
UNIT
cat >etc/systemd/system/boot-test.service <<'UNIT'
[Unit]
Wants=dbus.socket
After=basic.target dbus.socket
SuccessAction=exit
FailureAction=exit
[Service]
Type=oneshot
Environment=OUT=/run/boot-test
ExecStart=/bin/bash /boot-test/start
ExecStopPost=/bin/sh -c "journalctl -b -o short-precise --no-pager >/run/boot-test/journal.log"
StandardOutput=append:/run/boot-test.log
StandardError=append:/run/boot-test.log
TimeoutStartSec=infinity
UNIT

for bind; do
  from=${bind%%:*} to=.${bind#*:}
  if [ -d "$from" ]; then mkdir -p "$to"; else mkdir -p "$(dirname "$to")"; [ -e "$to" ] || : >"$to"; fi
  mount --rbind "$from" "$to"
done

exec </dev/null
mkdir .before
pivot_root . .before
cd /
umount -l /.before
rmdir /.before
dropped=-sys_time,-sys_module,-sys_rawio,-sys_boot,-syslog,-audit_control,-audit_read
dropped=$dropped,-wake_alarm,-block_suspend,-mac_admin,-mac_override
exec /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 container=boot-test \
  /usr/bin/setpriv --bounding-set "$dropped" \
  /lib/systemd/systemd --system --unit=boot-test.target --log-target=journal --show-status=no
EOF

# --- Go -----------------------------------------------------------------------------------------

# Into the cgroup first, so that the cgroup namespace begins there. If this script is killed
# outright, the death signals take down `unshare`, then process 1, then the rest.
(
  echo "$BASHPID" >"$cgroup/cgroup.procs" &&
    exec setpriv --pdeathsig KILL unshare --mount --propagation private --pid --fork --kill-child=KILL \
      --uts --ipc --net --cgroup -- /bin/bash "$work/inside" "$work" "$root" "$repo" "${binds[@]}"
) >"$work/console.log" 2>&1 &
machine=$!
sleep "$limit" &
timer=$!
wait -n -p ended "$machine" "$timer"
status=$?
if [ "$ended" = "$timer" ]; then
  timer='' status=124
else
  machine=''
  # The machine tells of a failed start by its console alone.
  [ -s "$work/said.log" ] || [ $status = 0 ] || status=125
fi

cat "$work/said.log"
[ ! -s "$work/console.log" ] || sed 's/^/[console] /' "$work/console.log" >&2
[ $verbose = no ] || cat "$work/out/journal.log"
[ -z "$out" ] || { mkdir -p "$out" && cp -a "$work/out/." "$out/"; }
[ $status != 124 ] || echo "run-under-systemd: no end after $limit s" >&2
exit $status
