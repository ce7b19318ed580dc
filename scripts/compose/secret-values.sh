# shellcheck shell=sh
# Functions for scripts that create and replace secrets. Source it from the repository's root.

# More than 256 bits. Only letters and digits, starting with a letter, so that configuration files need no quoting.
random_secret() {
  printf k
  head -c 256 /dev/urandom | base64 | tr -dc 'A-Za-z0-9' | head -c 47
}
# Sets the passwords that Redis accepts. They go to standard input, because other users of the machine can read arguments.
# Needs the functions redis_cli, which runs redis-cli beside the server, and fail.
redis_passwords() { # CURRENT-PASSWORD NEW-PASSWORD…
  current=$1
  shift
  accepted=
  for password in "$@"; do accepted="$accepted >$password"; done
  printf 'AUTH %s\nACL SETUSER default resetpass%s\n' "$current" "$accepted" |
    redis_cli --no-auth-warning |
    { read -r first && read -r second && [ "$first $second" = "OK OK" ]; } ||
    fail "Redis refused the password; see its log"
}
