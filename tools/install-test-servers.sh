#!/bin/sh
# Installs missing programs that the tests need: servers, openssl, and those named as arguments (for chromium, CHROMIUM
# can name another browser; libraries have the names of Debian's packages: python3-…, php-…, ruby-…).
# This works on Debian and Ubuntu, as root. Installed servers aren't started; tests start their own.
set -eu

has_browser() {
  if [ -n "${CHROMIUM:-}" ]; then
    [ -x "$CHROMIUM" ] || { echo "CHROMIUM names $CHROMIUM, which isn't a program." >&2; exit 1; }
    return 0
  fi
  command -v chromium-headless-shell && return 0
  # The whole browser takes nearly twice as much CPU time, so it's used only where the shell can't be installed.
  [ "$(id -u)" != 0 ] || ! apt-cache show chromium-headless-shell 2>/dev/null || return 1
  command -v chromium || command -v chromium-browser || command -v google-chrome
} >/dev/null

is_installed() {
  case "$1" in
    chromium) has_browser ;;
    python3-* | php-* | ruby-*) dpkg-query --show -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

missing=
packages=
for program in redis-server nats-server openssl "$@"; do
  if is_installed "$program"; then continue; fi
  missing="$missing $program"
  case "$program" in
    chromium) packages="$packages chromium-headless-shell" ;;
    go) packages="$packages golang-go" ;;
    kubectl) packages="$packages kubernetes-client" ;;
    php) packages="$packages php-cli" ;;
    rackup) packages="$packages ruby-rack" ;;
    systemd-analyze) packages="$packages systemd" ;;
    *) packages="$packages $program" ;;
  esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "The tests need these programs in PATH:$missing." >&2
  echo "On Debian or Ubuntu: sudo apt-get install$packages" >&2
  echo "Elsewhere: see https://redis.io/docs/latest/operate/oss_and_stack/install/ and https://docs.nats.io/running-a-nats-service/introduction/installation" >&2
  case "$missing" in *chromium*) echo "Any Chromium or Chrome will do for the browser tests: set CHROMIUM to its path." >&2 ;; esac
  exit 1
fi

echo "Installing$missing for the tests…" >&2
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod +x "$policy"
  trap 'rm -f "$policy"' EXIT
fi
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
# shellcheck disable=SC2086
if ! { apt-get update && apt-get install --yes --no-install-recommends $packages; } >"$log" 2>&1 </dev/null; then
  tail -20 "$log" >&2
  echo "Could not install$missing; the output of apt-get is above." >&2
  exit 1
fi
rm -f "$log"
