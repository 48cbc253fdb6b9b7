# What the scripts share. Sourced, never run.
# shellcheck shell=bash

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck disable=SC2034
program=$top/.build/release/photoindexd
# What building needs besides a Swift toolchain, and the names pkg-config has for it.
libraries=(libbrotli-dev libexif-dev libexpat1-dev libsqlite3-dev libssl-dev libutf8proc-dev libxxhash-dev pkg-config tzdata zlib1g-dev)
modules=(libbrotlidec libexif expat sqlite3 libcrypto libutf8proc libxxhash zlib)

say() { printf '%s\n' "$*"; }

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# Installs the Debian packages that are missing, and says so.
require_packages() {
  if ! command -v apt-get >/dev/null; then
    pkg-config --exists "${modules[@]}" && return
    fail "this is no Debian system: install what these packages hold by your own means, then run again: $*"
  fi
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "not root, and there is no sudo. As root: apt-get install ${missing[*]}"
    root=(sudo)
    [ -t 0 ] || root+=(-n)
  fi
  say "Installing with apt: ${missing[*]}"
  "${root[@]}" apt-get update -qq
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null </dev/null ||
    fail "apt could not install ${missing[*]}"
}

require_swift() {
  command -v swift >/dev/null ||
    fail "no Swift toolchain: get Swift 6.2 or newer from https://www.swift.org/install/linux and put its usr/bin into PATH"
}

# Builds the release binary, unless one is there that is newer than all it is made from.
build_release() {
  if [ -x "$program" ] &&
    [ -z "$(find "$top/Sources" "$top/Package.swift" -newer "$program" -print -quit)" ]; then
    return
  fi
  require_swift
  require_packages "${libraries[@]}"
  say "Building photoindexd; from nothing this takes some minutes"
  # The linker's one warning is about a function of Swift's library that is never called.
  swift build --package-path "$top" -c release --static-swift-stdlib --product photoindexd --quiet 2>&1 |
    { grep -v "the use of .mktemp' is dangerous" || true; }
  # SwiftPM leaves a binary that would come out the same as it was.
  touch "$program"
}

# The program's version, as it says it.
package_version() {
  sed -n 's/^let version = "\(.*\)"$/\1/p' "$top/Sources/photoindexd/Invocation.swift"
}

# The oldest C library that has all that the program asks of it.
oldest_glibc() {
  objdump -T "$program" | sed -n 's/.*(\?GLIBC_\([0-9.]*\).*/\1/p' | sort -uV | tail -n 1
}
