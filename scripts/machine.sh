# shellcheck shell=bash
# Sourced by the scripts of this repository: finds a Rust that is new enough and installs Debian packages.
# Changes into the repository's root.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

rust_wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

say() { printf '%s\n' "$*" >&2; }

# rust_in FOLDER: whether both cargo and rustc there are as new as Cargo.toml asks for.
rust_in() {
  local program version
  for program in cargo rustc; do
    [ -x "$1/$program" ] || return 1
    version=$("$1/$program" --version 2>/dev/null | cut -d' ' -f2) || return 1
    [ "$(printf '%s\n' "$rust_wanted" "${version%%-*}" | sort -V | head -n1)" = "$rust_wanted" ] || return 1
  done
}

# find_rust: puts the first Rust that is new enough first on PATH; fails where there is none.
find_rust() {
  local on_path folder
  on_path=$(command -v cargo || true)
  for folder in "${on_path%/cargo}" "${CARGO_HOME:-${HOME:-/root}/.cargo}/bin" /usr/local/bin /usr/bin; do
    if [ -n "$folder" ] && rust_in "$folder"; then
      [ "$folder" = "${on_path%/cargo}" ] || export PATH="$folder:$PATH"
      return 0
    fi
  done
  return 1
}

# missing_packages NAME…: the ones that are not installed, in one line.
missing_packages() {
  local installed name
  installed=" $(dpkg-query -W -f='${db:Status-Status}:${Package} ' "$@" 2>/dev/null || true)"
  for name in "$@"; do
    case "$installed" in *" installed:$name "*) ;; *) printf '%s ' "$name" ;; esac
  done
}

# install_packages NAME…: installs those that are missing, as root or through sudo.
install_packages() {
  local missing log as_root=()
  if ! command -v apt-get >/dev/null; then
    say "There is no apt-get here. Please install what these Debian packages hold: $*."
    return 0
  fi
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "Some Debian packages are missing. Please install them as root: apt-get install $missing"
      return 1
    fi
    as_root=(sudo)
  fi
  say "Installing Debian packages: $missing"
  log=$(mktemp)
  # shellcheck disable=SC2086
  if "${as_root[@]}" apt-get update </dev/null >"$log" 2>&1 &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends $missing </dev/null >>"$log" 2>&1; then
    rm "$log"
  else
    tail -n 20 "$log" >&2
    say "The packages could not be installed. All that apt-get said is in $log."
    return 1
  fi
}
