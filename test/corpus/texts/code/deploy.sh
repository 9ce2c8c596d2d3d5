#!/usr/bin/env bash
#
# Deploys a release to one environment, one host after the other.
#
#   deploy.sh [--dry-run] [--skip-migrations] [--force] ENVIRONMENT VERSION

set -euo pipefail
IFS=$'\n\t'

readonly SCRIPT_DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
readonly RELEASES_URL="${RELEASES_URL:-https://releases.example.net}"
readonly KEEP_RELEASES=5
readonly HEALTH_ATTEMPTS=30
readonly HEALTH_PAUSE=2
readonly SSH_OPTIONS=(-o BatchMode=yes -o ConnectTimeout=10 -o StrictHostKeyChecking=yes)

dry_run=0
skip_migrations=0
force=0
environment=""
version=""
started_at="$(date +%s)"

log()  { printf '%s  %s\n' "$(date +%H:%M:%S)" "$*"; }
warn() { printf '%s  WARNING %s\n' "$(date +%H:%M:%S)" "$*" >&2; }
die()  { printf '%s  FATAL %s\n' "$(date +%H:%M:%S)" "$*" >&2; exit 1; }

usage() {
  sed -n '3,5p' "$0" | sed 's/^# \{0,1\}//'
  exit 64
}

parse_arguments() {
  while (($# > 0)); do
    case "$1" in
      --dry-run) dry_run=1 ;;
      --skip-migrations) skip_migrations=1 ;;
      --force) force=1 ;;
      -h | --help) usage ;;
      -*) die "unknown option $1" ;;
      *)
        if [[ -z "$environment" ]]; then environment="$1"
        elif [[ -z "$version" ]]; then version="$1"
        else usage
        fi
        ;;
    esac
    shift
  done
  [[ -n "$environment" && -n "$version" ]] || usage
}

load_environment() {
  local file="$SCRIPT_DIR/environments/$environment.env"
  [[ -f "$file" ]] || die "no such environment: $environment"
  # shellcheck disable=SC1090
  source "$file"
  : "${HOSTS:?HOSTS is missing in $file}"
  : "${DEPLOY_USER:?DEPLOY_USER is missing in $file}"
  : "${APP_DIR:?APP_DIR is missing in $file}"
  read -r -a hosts <<<"${HOSTS//$'\n'/ }"
}

check_window() {
  [[ "$environment" == production ]] || return 0
  local hour weekday
  hour="$(TZ=Europe/Brussels date +%-H)"
  weekday="$(TZ=Europe/Brussels date +%u)"
  if ((weekday >= 5 || hour < 9 || hour >= 16)); then
    ((force)) || die "production is deployed Monday to Thursday, 9:00 to 16:00 (use --force for an emergency)"
    warn "outside the deployment window, going on because of --force"
  fi
}

take_lock() {
  local holder
  if ! holder="$(remote "${hosts[0]}" "mkdir '$APP_DIR/deploy.lock' 2>/dev/null && echo mine || cat '$APP_DIR/deploy.lock/owner'")"; then
    die "cannot reach ${hosts[0]}"
  fi
  [[ "$holder" == mine ]] || die "another deployment is running: ${holder:-unknown}"
  remote "${hosts[0]}" "echo '$USER since $(date -Is)' > '$APP_DIR/deploy.lock/owner'"
  trap release_lock EXIT
}

release_lock() {
  remote "${hosts[0]}" "rm -rf '$APP_DIR/deploy.lock'" || warn "the lock could not be removed"
}

remote() {
  local host="$1"
  shift
  if ((dry_run)); then
    log "[dry run] $host: $*"
    echo mine
    return 0
  fi
  ssh "${SSH_OPTIONS[@]}" "$DEPLOY_USER@$host" "$@"
}

fetch_release() {
  local archive="release-$version.tar.zst"
  workdir="$(mktemp -d)"
  log "fetching $archive"
  curl --fail --silent --show-error --location --retry 3 -o "$workdir/$archive" "$RELEASES_URL/$archive"
  curl --fail --silent --show-error --location -o "$workdir/SHA256SUMS" "$RELEASES_URL/SHA256SUMS"
  (cd "$workdir" && grep " $archive\$" SHA256SUMS | sha256sum --check --quiet) || die "checksum of $archive is wrong"
}

migrate() {
  if ((skip_migrations)); then
    warn "migrations are skipped"
    return 0
  fi
  log "migrating the database from ${hosts[0]}"
  remote "${hosts[0]}" "cd '$APP_DIR/releases/$version' && ./bin/migrate --lock-timeout 5s up"
}

upload() {
  local host="$1"
  log "uploading to $host"
  remote "$host" "mkdir -p '$APP_DIR/releases/$version'"
  ((dry_run)) || ssh "${SSH_OPTIONS[@]}" "$DEPLOY_USER@$host" \
    "tar --zstd -xf - -C '$APP_DIR/releases/$version'" <"$workdir/release-$version.tar.zst"
}

switch_host() {
  local host="$1" previous
  previous="$(remote "$host" "readlink '$APP_DIR/current' || true")"
  log "$host: leaving the load balancer"
  remote "$host" "touch '$APP_DIR/maintenance' && sleep ${DRAIN_SECONDS:-15}"
  remote "$host" "ln -sfn '$APP_DIR/releases/$version' '$APP_DIR/current.new' && mv -T '$APP_DIR/current.new' '$APP_DIR/current'"
  remote "$host" "sudo systemctl restart app.service"
  if wait_healthy "$host"; then
    remote "$host" "rm -f '$APP_DIR/maintenance'"
    log "$host: runs $version"
    return 0
  fi
  warn "$host: unhealthy, going back to ${previous##*/}"
  remote "$host" "ln -sfn '$previous' '$APP_DIR/current' && sudo systemctl restart app.service && rm -f '$APP_DIR/maintenance'"
  return 1
}

wait_healthy() {
  local host="$1" attempt status
  for ((attempt = 1; attempt <= HEALTH_ATTEMPTS; attempt++)); do
    status="$(remote "$host" "curl -s -o /dev/null -w '%{http_code}' --max-time 2 http://127.0.0.1:8080/healthz || true")"
    if [[ "$status" == 200 || $dry_run == 1 ]]; then
      return 0
    fi
    sleep "$HEALTH_PAUSE"
  done
  return 1
}

prune_releases() {
  local host="$1"
  remote "$host" "cd '$APP_DIR/releases' && ls -1t | tail -n +$((KEEP_RELEASES + 1)) | grep -vx \"\$(basename \"\$(readlink ../current)\")\" | xargs -r rm -rf --"
}

announce() {
  local text="$1"
  [[ -n "${CHAT_WEBHOOK:-}" ]] || return 0
  curl --silent --max-time 5 -H 'Content-Type: application/json' \
    -d "{\"text\": \"$text\"}" "$CHAT_WEBHOOK" >/dev/null || warn "the chat did not answer"
}

main() {
  parse_arguments "$@"
  load_environment
  check_window
  take_lock
  fetch_release
  announce "deploying $version to $environment"
  local host
  for host in "${hosts[@]}"; do upload "$host"; done
  migrate
  for host in "${hosts[@]}"; do
    if ! switch_host "$host"; then
      announce "deployment of $version to $environment stopped at $host"
      die "stopped at $host; hosts before it already run $version"
    fi
  done
  for host in "${hosts[@]}"; do prune_releases "$host"; done
  rm -rf "$workdir"
  announce "$environment runs $version after $(($(date +%s) - started_at)) s"
}

main "$@"
