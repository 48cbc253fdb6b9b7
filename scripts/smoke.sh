# Tries an installed program on real files: sourced by scripts/test, with the prefix of the
# installation and a directory for what it makes.
# shellcheck shell=bash disable=SC2154 # top is that of lib.sh

smoke() {
  local prefix=$1 work=$2 photos=$2/photos index answer
  local -x XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/config STATE_DIRECTORY=''
  local program=$prefix/bin/photoindexd

  "$top/scripts/bench-library.py" "$photos" 40 --per-dir 20 --body 4000 --no-exif-share 0
  # One whose values another program has written, one that is cut off, one under a strange name.
  local -a files=("$photos"/*/*/*.JPG)
  local known=$photos/삼성동.jpg
  cp "${files[0]}" "$known"
  exiftool -q -overwrite_original -all= -Make=Apple -Model='iPhone 15 Pro' -Orientation#=6 \
    -DateTimeOriginal='2024:05:01 13:45:10' -SubSecTimeOriginal=123 -GPSLatitude=37.5886 \
    -GPSLatitudeRef=N -GPSLongitude=127.0068 -GPSLongitudeRef=E "$known"
  head -c 300 "${files[1]}" >"$photos/cut.jpg"
  cp "${files[2]}" "$photos/line"$'\n'"break '\".jpg"

  expect "40 photos and 3 more are indexed" "43 photos: 43 added" "$program" --rescan "$photos"
  expect "a second pass finds nothing to do" "nothing changed: 43 photos" "$program" --rescan
  index=$("$program" --print-database)
  expect "the device, the time by the place's zone, the place" \
    "Apple iPhone 15 Pro|2024-05-01T13:45:10.123|540|original+place|South Korea, Seoul, Seongbuk-gu" \
    sqlite3 "$index" "SELECT device, taken_local, taken_offset, taken_source, place FROM photos
      WHERE file = '삼성동.jpg'"
  expect "the cut one waits" "truncated" sqlite3 "$index" "SELECT reason FROM pending"
  expect "the index is sound" "ok" sqlite3 "$index" "PRAGMA integrity_check; PRAGMA foreign_key_check"
  expect "and private" "600" stat -c %a "$index"
  expect "the content hash is sha256sum's" "$(sha256sum "$known" | cut -d ' ' -f 1)" \
    sqlite3 "$index" "SELECT content_hash FROM photos WHERE file = '삼성동.jpg'"
  expect "the status counts" "43 photos, 43 hashed" "$program" --status
  expect "a place is found" "서울특별시" "$program" --locate 37.5886,127.0068
  expect "and the open sea" "no place" "$program" --locate 0,-30
  expect "a missing directory is told" 66 exit_status "$program" --rescan "$work/nowhere"
  expect "an unknown option, too" 64 exit_status "$program" --recsan
  expect "the example configuration is good" "configuration: " \
    "$program" --check-config --config "$prefix/share/doc/photoindexd/config.example.json"
  expect "the man page renders" "sysexits(3)" mandoc -T ascii "$prefix/share/man/man1/photoindexd.1"
  expect "exiftool agrees" "100.00 % equal" "$top/scripts/compare" --program "$program" "$photos"
}

# What is expected, a part of what must be printed, and the command that prints it.
expect() {
  local answer
  answer=$("${@:3}" 2>&1) || fail "$1: exit status $?: ${*:3}: $answer"
  [[ $answer == *"$2"* ]] || fail "$1: found: $answer"
  say "ok: $1"
}

exit_status() {
  "$@" >/dev/null 2>&1 || echo $?
}
