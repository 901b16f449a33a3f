# Sourced by the other scripts, never run.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
# shellcheck disable=SC2034  # The scripts that source this file use it.
readonly root

die() {
  printf 'thumbturn: error: %s\n' "$1" >&2
  shift
  for hint in "$@"; do printf 'thumbturn: hint: %s\n' "$hint" >&2; done
  exit 1
}

say() { printf '== %s\n' "$*"; }

# Runs a command and prints how long it took, whether it succeeds or not.
timed() {
  local name=$1 began=$SECONDS rc=0
  shift
  say "$name"
  "$@" || rc=$?
  if ((rc == 0)); then say "$name: ok, $((SECONDS - began)) s"; else say "$name: FAILED ($rc), $((SECONDS - began)) s"; fi
  return "$rc"
}

# A new folder for one run. The caller removes it in a trap.
scratch_folder() { mktemp -d "${TMPDIR:-/tmp}/thumbturn-$1.XXXXXXXX"; }
