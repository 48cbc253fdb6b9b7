#!/usr/bin/env bash
# Tries an installation under a real systemd: on a throw-away machine that scripts/with-systemd.sh
# makes, of namespaces. Needs root.
#
#     scripts/systemd-test.sh STAGE PACKAGES
#
# STAGE is a directory that scripts/install has installed into, with --destdir; PACKAGES one with what
# scripts/deb and scripts/tarball have made.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

index=/var/lib/photoindexd/index.sqlite
photos=/srv/photos

# --- outside: make the machine -----------------------------------------------------------------
if [ "${2-}" != inside ]; then
  usage="usage: scripts/systemd-test.sh STAGE PACKAGES"
  stage=$(cd "${1:?$usage}" && pwd)
  packages=$(cd "${2:?$usage}" && pwd)
  require_packages systemd dbus util-linux sqlite3 python3 passwd iproute2 e2fsprogs mount
  work=$(mktemp -d)
  queue=/proc/sys/fs/inotify/max_queued_events
  before=$(cat $queue)
  trap 'echo "$before" >$queue 2>/dev/null || true; umount "$work/disk" 2>/dev/null || true; rm -rf "$work"' EXIT
  mkdir "$work/photos" "$work/more" "$work/disk" "$work/images"
  chmod 755 "$work" "$work/photos"
  "$top/scripts/bench-library.py" "$work/photos" 30 --per-dir 10 --body 4000
  "$top/scripts/bench-library.py" "$work/more" 400 --per-dir 400 --body 100 --seed 2
  # A disk of files that whoever cuts its image off where the first of them begins takes away.
  "$top/scripts/bench-library.py" "$work/source" 25 --body 4000 --seed 3
  truncate -s 32M "$work/images/disk"
  mkfs.ext4 -q -O ^has_journal -b 1024 "$work/images/disk"
  if mount -o loop "$work/images/disk" "$work/disk" 2>/dev/null; then
    cp "$work"/source/*/*/*.JPG "$work/disk/"
    umount "$work/disk"
    debugfs -R 'blocks /IMG_000000.JPG' "$work/images/disk" 2>/dev/null | awk '{ print $1 }' >"$work/images/first"
    cp "$work/images/disk" "$work/images/well"
    mount -o loop,ro "$work/images/disk" "$work/disk"
  fi
  chmod -R a+rX "$work" 2>/dev/null || true
  # So few that any burst overflows them; the machine has the kernel of this one.
  echo 16 >$queue 2>/dev/null || say "LOUD: the event queue cannot be made small here: no real overflow is tried"
  cd "$work"
  "$top/scripts/with-systemd.sh" --timeout 400 --unit photoindexd.service --bind "$stage:/opt/stage" \
    --bind "$top/scripts:/opt/scripts" --bind "$work/photos:$photos" --bind "$work/more:/srv/more" \
    --bind "$packages:/opt/packages" --bind "$work/disk:/srv/disk" --bind "$work/images:/opt/images" \
    /opt/scripts/systemd-test.sh /opt/stage inside
  exit
fi

# --- inside ------------------------------------------------------------------------------------
ok() { say "ok: $1"; }

# Waits until the command says what is expected, for at most so many seconds.
until_is() {
  local what=$1 expected=$2 seconds=$3 found='' end=$((SECONDS + $3))
  shift 3
  while :; do
    found=$("$@" 2>&1) || true
    [ "$found" != "$expected" ] || { ok "$what"; return; }
    [ $SECONDS -lt $end ] || fail "$what: after $seconds s found '$found', not '$expected'"
    sleep 0.1
  done
}
query() { sqlite3 -cmd '.timeout 5000' $index "$1"; }
main_pid() { systemctl show -p MainPID --value photoindexd; }
journal() { journalctl --sync; journalctl --no-pager -o cat -u photoindexd; }
configure() {
  printf '{"roots": [{"name": "family", "path": "%s"}], "settle": "500ms"%s}\n' $photos "$1" \
    >/etc/photoindexd/config.json
}

cp -a /opt/stage/usr/local/. /usr/local/
mkdir -p /etc/photoindexd
configure ''
systemd-sysusers /usr/local/lib/sysusers.d/photoindexd.conf
useradd -M -G photoindexd mina
useradd -M eve
mkdir -p /etc/systemd/system/photoindexd.service.d
printf '[Service]\nRestartSec=500ms\nWatchdogSec=4\n' >/etc/systemd/system/photoindexd.service.d/test.conf
systemctl daemon-reload

systemctl start photoindexd || fail "it does not start"
ok "it is ready when its first scan has begun"
until_is "what is there is scanned" 30 60 query "SELECT count(*) FROM photos"
until_is "it says that it watches" "full" 10 query "SELECT watch FROM roots"
files=("$photos"/*/*/*.JPG)
cp "${files[0]}" $photos/copied.jpg
until_is "a copied photo is a row" 1 5 query "SELECT count(*) FROM photos WHERE file = 'copied.jpg'"
until_is "and has its hash" "$(sha256sum $photos/copied.jpg | cut -c 1-64)" 10 \
  query "SELECT content_hash FROM photos WHERE file = 'copied.jpg'"
watched="watching $(find $photos -type d | wc -l) directories"
until_is "systemd shows what it does" "$watched" 10 systemctl show -p StatusText --value photoindexd

# Who may read and write.
[ "$(stat -c '%a %G' /var/lib/photoindexd $index | tr '\n' ' ')" = '2770 photoindexd 660 photoindexd ' ] ||
  fail "modes: $(stat -c '%a %G' /var/lib/photoindexd $index)"
runuser -u mina -- sqlite3 -cmd '.timeout 5000' $index \
  "UPDATE photo SET is_favorite = 1 WHERE path LIKE '%copied.jpg'" || fail "a member cannot mark a favourite"
[ "$(runuser -u mina -- sqlite3 $index "SELECT file FROM photos WHERE is_favorite = 1")" = copied.jpg ] || fail "no favourite"
ok "a member of the group reads, and marks a favourite"
! runuser -u eve -- sqlite3 $index "SELECT 1 FROM photos" 2>/dev/null || fail "a stranger reads the index"
ok "a stranger cannot"
runuser -u mina -- /usr/local/bin/photoindexd --status | grep -q "$watched" || fail "no live status"
runuser -u mina -- /usr/local/bin/photoindexd --rescan | grep -q 'nothing changed: 31 photos' || fail "no scan for a member"
ok "a member asks the service for its status and for a scan"
status=0
runuser -u mina -- /usr/local/bin/photoindexd --rescan --confirm-removals family 2>/dev/null || status=$?
[ $status = 77 ] || fail "a member confirms removals: $status"
ok "but cannot confirm removals"
! runuser -u eve -- /usr/local/bin/photoindexd --status 2>/dev/null || fail "a stranger gets the status"
status=0
runuser -u photoindexd -- /usr/local/bin/photoindexd --config /etc/photoindexd/config.json 2>/tmp/second || status=$?
[ $status = 75 ] || fail "a second service: $status"
grep -q "pid $(main_pid)" /tmp/second || fail "a second service is not told the pid: $(cat /tmp/second)"
ok "a second service is refused, with the pid of the first"

# The sandbox, from within.
in_sandbox() { nsenter -t "$(main_pid)" -m -n -- "$@"; }
! in_sandbox touch $photos/x 2>/dev/null || fail "it can write under a root"
! in_sandbox touch /etc/x 2>/dev/null || fail "it can write to /etc"
[ "$(in_sandbox ip -o link | wc -l)" = 1 ] || fail "it has a network"
ok "it cannot write under a root or to /etc, and has no network"
runuser -u mina -- /usr/local/bin/photoindexd --status | grep -qx 'decoder: child, seccomp, landlock, memory limit' ||
  fail "the decoders are not confined: $(runuser -u mina -- /usr/local/bin/photoindexd --status | grep decoder)"
[ "$(query "SELECT count(*) FROM pending")" = 0 ] || fail "pending: $(query "SELECT path, reason, message FROM pending")"
ok "in this sandbox decoders confine themselves"

# The configuration.
configure ', "exclude": ["copied.jpg"]'
systemctl reload photoindexd
until_is "a new configuration is read" 0 10 query "SELECT count(*) FROM photos WHERE file = 'copied.jpg'"
configure ', "excluded": []'
systemctl reload photoindexd
until_is "a bad one keeps the old" active 10 systemctl is-active photoindexd
journal | grep -q 'the old configuration stays in force' || fail "the journal does not say so"
journalctl -u photoindexd -p err --no-pager -o cat | grep -q 'excluded: found an unknown key' || fail "no error in the journal: $(journal)"
ok "and the journal tells why, as an error"
configure ''
systemctl reload photoindexd
until_is "the good one is back" 1 10 query "SELECT count(*) FROM photos WHERE file = 'copied.jpg'"
[ "$(query "SELECT count(*) FROM photos WHERE country GLOB '*[가-힣]*'")" = 0 ] || fail "Korean names before they are asked for"
placed=$(query "SELECT count(*) FROM photos WHERE country IS NOT NULL")
configure ', "language": ["ko"]'
systemctl reload photoindexd
until_is "another language names the places of all $placed photos anew, without a restart" "$placed" 20 \
  query "SELECT count(*) FROM photos WHERE country GLOB '*[가-힣]*'"
configure ''
systemctl reload photoindexd
until_is "and back" 0 20 query "SELECT count(*) FROM photos WHERE country GLOB '*[가-힣]*'"

# A real overflow, where the queue was made small.
cp -r /srv/more $photos/
until_is "a burst is taken in whole" 431 60 query "SELECT count(*) FROM photos"
rm -r $photos/more
until_is "and so is its end" 31 60 query "SELECT count(*) FROM photos"

# Ends and new beginnings.
pid=$(main_pid)
kill -STOP "$pid"
until_is "one that hangs is started anew" yes 30 \
  bash -c "p=\$(systemctl show -p MainPID --value photoindexd); [ \$p != 0 ] && [ \$p != $pid ] && echo yes"
until_is "and is active" active 20 systemctl is-active photoindexd
pid=$(main_pid)
kill -9 "$pid"
cp "${files[1]}" $photos/while-dead.jpg
until_is "one that was killed is started anew, and converges" 1 30 \
  query "SELECT count(*) FROM photos WHERE file = 'while-dead.jpg'"
until_is "and is active again" active 20 systemctl is-active photoindexd
began=${EPOCHREALTIME/./}
systemctl stop photoindexd
took=$(((${EPOCHREALTIME/./} - began) / 1000))
[ $took -lt 2000 ] || fail "it takes $took ms to stop"
ok "it stops in $took ms"
! pgrep -f -- --decoder >/dev/null || fail "a decoder is left"
ok "and leaves no decoder"
[ "$(systemctl is-failed photoindexd)" != failed ] || fail "a stop counts as a failure"
[ "$(runuser -u mina -- sqlite3 $index "SELECT count(*) FROM photos")" = 32 ] || fail "a member cannot read now"
ok "a member reads the index while it is stopped"
configure ', "excluded": []'
! systemctl start photoindexd 2>/dev/null || fail "it starts with a bad configuration"
sleep 2
[ "$(systemctl show -p NRestarts --value photoindexd)" = 0 ] || fail "a bad configuration is tried again and again"
ok "with a bad configuration it does not start, and is not started again"
configure ''

# A disk that gives nothing any more: all that a file holds is beyond the end of what carries it.
if [ -e /opt/images/well ]; then
  truncate -s $(($(cat /opt/images/first) * 1024)) /opt/images/disk
  printf '{"roots": [{"name": "disk", "path": "/srv/disk"}], "settle": "500ms", "retry": {"first": "1s"}}\n' \
    >/etc/photoindexd/config.json
  systemctl start photoindexd
  until_is "a root on a dying disk is held" held 20 query "SELECT state FROM roots WHERE name = 'disk'"
  query "SELECT state_reason FROM roots WHERE name = 'disk'" | grep -q '^disk-errors: .*smartctl.*--resume disk$' || fail "no reason"
  [ "$(query "SELECT count(*), min(reason), max(reason) FROM pending")" = '25|io|io' ] || fail "not all are pending"
  attempts=$(query "SELECT sum(attempts) FROM pending")
  sleep 4
  [ "$(query "SELECT sum(attempts) FROM pending")" = "$attempts" ] || fail "it goes on trying"
  ok "and nothing is tried again"
  status=0
  runuser -u mina -- /usr/local/bin/photoindexd --resume disk 2>/dev/null || status=$?
  [ $status = 77 ] || fail "a member resumes a root: $status"
  dd if=/opt/images/well of=/opt/images/disk conv=notrunc status=none
  /usr/local/bin/photoindexd --resume disk | grep -q '^disk: what could not be read is tried again$' || fail "not resumed"
  until_is "until root says that it is well" '0|' 20 \
    query "SELECT (SELECT count(*) FROM pending), state_reason FROM roots WHERE name = 'disk'"
  systemctl stop photoindexd
else
  say "LOUD: no loop device can be mounted here: no dying disk is tried"
fi
configure ''

# What the README says of photos that belong to a group, and of another place for the index.
groupadd photos
mkdir -p /srv/group /srv/index
cp "${files[0]}" /srv/group/
chown -R root:photos /srv/group
chmod -R g+rX,o= /srv/group
chown photoindexd:photoindexd /srv/index
chmod 2770 /srv/index
printf '[Service]\nSupplementaryGroups=photos\nReadWritePaths=/srv/index\n' \
  >/etc/systemd/system/photoindexd.service.d/photos.conf
printf '{"database": "/srv/index/index.sqlite", "roots": [{"name": "group", "path": "/srv/group"}]}\n' \
  >/etc/photoindexd/config.json
mv $index $index-wal $index-shm /srv/index/
systemctl daemon-reload
systemctl start photoindexd
query_moved() { sqlite3 -cmd '.timeout 5000' /srv/index/index.sqlite "$1"; }
until_is "what the service's group may read, from an index that was moved" 1 20 \
  query_moved "SELECT count(*) FROM photos WHERE root = 'group'"
systemctl stop photoindexd
mv /srv/index/index.sqlite* "$(dirname $index)/"
rm /etc/systemd/system/photoindexd.service.d/photos.conf
systemctl daemon-reload
configure ''

# The service of a user, for photos of their own.
useradd -m -d /tmp/jun jun
mkdir /tmp/jun/Pictures
cp "${files[0]}" /tmp/jun/Pictures/
chown -R jun /tmp/jun
as_jun() { runuser -u jun -- env HOME=/tmp/jun XDG_RUNTIME_DIR="/run/user/$(id -u jun)" "$@"; }
mv /etc/photoindexd/config.json /etc/photoindexd/aside
systemctl start "user@$(id -u jun)"
as_jun /usr/local/bin/photoindexd --rescan /tmp/jun/Pictures >/dev/null 2>&1 || fail "no scan for a user"
as_jun systemctl --user daemon-reload
as_jun systemctl --user enable --now photoindexd 2>/dev/null || fail "a user's service does not start"
cp "${files[1]}" /tmp/jun/Pictures/new.jpg
until_is "a user's service sees what comes" 1 20 \
  sqlite3 /tmp/jun/.local/share/photoindexd/index.sqlite "SELECT count(*) FROM photos WHERE file = 'new.jpg'"
as_jun systemctl --user start photoindexd-rescan || fail "no scan by a user's service"
as_jun systemctl --user stop photoindexd
mv /etc/photoindexd/aside /etc/photoindexd/config.json

# What an older kernel says.
systemd-run --quiet --wait --pipe -p SystemCallFilter=~openat2 -p SystemCallErrorNumber=ENOSYS \
  -p StateDirectory=older /usr/local/bin/photoindexd --rescan >/tmp/older 2>&1 || true
grep -q 'openat2 needs Linux 5.6' /tmp/older || fail "no clear message on an old kernel: $(cat /tmp/older)"
ok "without openat2 it says which kernel it needs"

# The timer, for those who run no service.
mkdir -p /etc/systemd/system/photoindexd-rescan.timer.d
printf '[Timer]\nOnCalendar=\nOnActiveSec=1s\nRandomizedDelaySec=0\nAccuracySec=100ms\n' \
  >/etc/systemd/system/photoindexd-rescan.timer.d/test.conf
systemctl daemon-reload
systemctl reset-failed
cp "${files[2]}" $photos/timer.jpg
systemctl start photoindexd-rescan.timer
until_is "the timer scans" 1 30 query "SELECT count(*) FROM photos WHERE file = 'timer.jpg'"
systemctl start photoindexd
systemctl start photoindexd-rescan.service || fail "no scan by the service that runs"
ok "beside a running service, the timer's scan is handed to that"
systemctl stop photoindexd

# The packages, each in the place of what was there.
(cd /opt/stage && find usr/local -type f) | sed 's|^|/|' | xargs rm
rm -r /etc/systemd/system/photoindexd*.d
try_package() {
  local name=$1
  systemctl daemon-reload
  cp "${files[3]}" "$photos/$name.jpg"
  systemctl start photoindexd || fail "$name: it does not start"
  until_is "$name: a photo is a row" 1 30 query "SELECT count(*) FROM photos WHERE file = '$name.jpg'"
}
dpkg -i /opt/packages/photoindexd_*.deb >/dev/null || fail "dpkg -i"
try_package deb
pid=$(main_pid)
dpkg -i /opt/packages/photoindexd_*.deb >/dev/null || fail "dpkg -i, again"
if [ "$(main_pid)" = "$pid" ] || [ "$(systemctl is-active photoindexd)" != active ]; then
  fail "an upgrade does not restart it"
fi
ok "deb: an upgrade restarts the service"
man -w photoindexd >/dev/null || fail "no man page"
dpkg -r photoindexd >/dev/null || fail "dpkg -r"
[ "$(systemctl is-active photoindexd)" != active ] || fail "it runs after dpkg -r"
[ ! -e /usr/bin/photoindexd ] || fail "dpkg -r leaves the program"
dpkg -P photoindexd >/dev/null || fail "dpkg -P"
[ "$(query "SELECT count(*) FROM photos WHERE file = 'deb.jpg'")" = 1 ] || fail "the index went with the package"
ok "deb: removed and purged, and the index is still there"
tar -C / -xzf /opt/packages/photoindexd-*.tar.gz
try_package tarball
systemctl stop photoindexd
tar -tzf /opt/packages/photoindexd-*.tar.gz | grep -v '/$' | sed 's|^|/|' | xargs rm
[ "$(query "SELECT count(*) FROM photos WHERE file = 'tarball.jpg'")" = 1 ] || fail "the index went with the program"
ok "tarball: removed, and the index is still there"
say "all of it under systemd $(systemctl --version | awk 'NR == 1 { print $2 }')"
