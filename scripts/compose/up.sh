#!/bin/sh
# Builds or pulls the images and starts the Compose cluster, waits until it is healthy, and says what to do next. MODE=ha or MODE=plain.
set -eu
cd "$(dirname "$0")/../.."
command=up
. scripts/compose/settings.sh
compose=scripts/compose/compose.sh
# Unlike the other commands, this one replaces all containers at once if INTERNAL_TLS changed.
export MAY_SWITCH_TLS=yes

# HAProxy speaks plain HTTP, so a public port with TLS would lose it.
if [ "$MODE" = ha ] && [ -n "$(setting TLS_CERT_FILE)" ]; then
  fail "TLS_CERT_FILE works with make up only: remove it from .env, and terminate TLS at a proxy in front of HAProxy (docs/compose.md)"
fi

scripts/compose/build.sh
# Don't replace running containers with ones that can't start.
if [ -n "$(MAY_LACK_SECRETS=yes "$compose" ps --quiet gateway)" ]; then
  for service in gateway auth geo usage portal; do
    "$compose" --progress quiet run --rm --no-deps --no-TTY "$service" node "services/$service/src/main.ts" --check ||
      fail "$service couldn't start with these settings (its message is above); nothing has been replaced"
  done
fi
store_numbers || exit 1
keep_settings || exit 1
# Compose doesn't count services of inactive profiles as orphans, so HAProxy would keep running and hold the port.
if [ "$MODE" = plain ] && [ -n "$(MODE=ha "$compose" ps --all --quiet haproxy)" ]; then
  MODE=ha "$compose" rm --stop --force haproxy
fi
front=$([ "$MODE" = ha ] && echo haproxy || echo gateway)
if ! "$compose" up --detach --wait --remove-orphans; then
  container=$("$compose" ps --all --quiet "$front" | head -n 1)
  case $([ -z "$container" ] || docker inspect --format '{{.State.Error}}' "$container") in
    *"already allocated"* | *"already in use"*)
      fail "the port is in use by another program: stop it or set another PORT in .env, then run this again"
      ;;
  esac
  for container in $("$compose" ps --all --quiet); do
    case $(docker inspect --format '{{.State.Status}} {{if .State.Health}}{{.State.Health.Status}}{{end}} {{.State.ExitCode}}' "$container") in
      "running healthy "* | "exited  0" | "created "*) ;;
      *) docker inspect --format '{{.Name}}:' "$container" >&2 && docker logs --tail 5 "$container" >&2 ;;
    esac
  done
  fail "some containers aren't healthy; their last log lines are above. Fix the cause and run this again"
fi
update_expected

scheme=http
if docker inspect --format '{{json .Config.Env}}' "$("$compose" ps --quiet "$front" | head -n 1)" | grep -q '"TLS_CERT_FILE=/'; then
  scheme=https
fi
url=$scheme://$("$compose" port "$front" 8080 | sed 's/0\.0\.0\.0/127.0.0.1/')
docs=$(setting DOCS_URL)
cat <<TEXT

geolookup is running at $url. Your requests from this machine come from a private address, which has no
location: its fields are null, and partial is true. The docs site and the console are at
${docs:-$scheme://docs.localhost:${url##*:}}.

  curl $url/v1/geo
  ./geolookup keys issue --kind secret --plan paid --label first

make help lists the other commands; docs/compose.md describes them.
TEXT
