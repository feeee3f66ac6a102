# shellcheck shell=bash disable=SC2154 # sourced by scripts/engines, whose settings and say, die, inside it uses
# Installs a private Debian 13 root, because the packages of Debian 12 are older and lack pgvector.

suite=trixie
nats_suite=forky
nats_minimum=2.12.3 # earlier versions of JetStream can lose acknowledged messages (Jepsen's analysis of 2.12.1)

heartbeat() {
  exec 9>&- >/dev/null
  while sleep 10 2>/dev/null && kill -0 $$ 2>/dev/null; do
    say "  … $SECONDS s; $(tail -n 1 "$log" 2>/dev/null | tr -d '\r' | cut -c 1-100)"
  done
}

beat=
stop_beat() {
  [[ -z $beat ]] || kill "$beat" 2>/dev/null || true
  beat=
}
trap stop_beat EXIT

quietly() { # label, command…: output goes to the log; its last lines are printed on failure
  local what=$1 status=0
  shift
  printf '\n== %s\n' "$what" >>"$log"
  heartbeat &
  beat=$!
  "$@" >>"$log" 2>&1 || status=$?
  stop_beat
  ((status == 0)) && return
  tail -n 15 "$log" | sed 's/^/    /' >&2
  die "$what (exit $status; all of it in $log)" \
    "if the archive could not be reached: check the network, proxy and /etc/apt/sources.list*, then: $0 up" \
    ${extra[@]+"if a package is unknown: SCHOLIAST_ENGINES_EXTRA takes names of Debian 13 packages"} \
    "you can repeat the call: incomplete steps are repeated"
}

host_apt() { DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@"; }

# Third-party sources may use Debian's suite names, so the archive is identified by its signed Release file.
mirror() {
  # shellcheck disable=SC2016 # apt's own placeholders
  apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk -F'|' '$1 == "Debian" && $2 == "Debian" && $3 !~ /^cdrom:/ { sub("/$", "", $3); print $3; exit }'
}

need_debian() {
  local ID='' PRETTY_NAME='' options
  # shellcheck disable=SC1091
  . /etc/os-release 2>/dev/null || true
  [[ $ID == debian && -n $(command -v apt-get) ]] ||
    die "this is ${PRETTY_NAME:-not a Linux we know}, and the installation needs Debian 12 or 13" \
      "start PostgreSQL 17 with pgvector and nats-server >= $nats_minimum with JetStream, and set DATABASE_URL and NATS_URL" \
      "$with_docker"
  options=$(findmnt -nro OPTIONS -T "$base" 2>/dev/null || true)
  [[ ,$options, != *,noexec,* && ,$options, != *,nodev,* ]] ||
    die "$base lies on a file system mounted noexec or nodev" "SCHOLIAST_ENGINES_ROOT=<a directory elsewhere> $0 up"
  (($(df --output=avail -k "$base" | tail -n 1) > 2000000)) ||
    die "less than 2 GB free for $base" "make room, or SCHOLIAST_ENGINES_ROOT=<a directory elsewhere> $0 up"
}

unmount() {
  local place
  for place in dev/shm proc; do
    ! mountpoint -q "$1/$place" || umount "$1/$place" || die "$1/$place is in use" "end what runs in there, then again"
  done
}

remove_tree() {
  [[ -e $1 ]] || return 0
  unmount "$1"
  rm -rf --one-file-system -- "$1"
}

build_root() {
  local new=$1 from=$2 proxy='' options=()
  local packages=(postgresql-17 postgresql-17-pgvector systemd-standalone-sysusers "nats-server/$nats_suite" "${extra[@]}")
  [[ $from != https:* ]] || packages+=(ca-certificates)
  eval "$(apt-config shell proxy Acquire::http::Proxy)"
  [[ -z $proxy ]] || options+=(--aptopt="Acquire::http::Proxy \"$proxy\"")
  # Only nats-server comes from the newer suite. Archives behind a snapshot or cache are often past Valid-Until.
  # The cluster that Debian creates at installation is not needed.
  # shellcheck disable=SC2016 # $1 is the hook's
  mmdebstrap --mode=root --variant=minbase --include="$(IFS=,; printf '%s' "${packages[*]}")" \
    --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Retries "3"' "${options[@]}" \
    --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --setup-hook='mkdir -p "$1/etc/apt/preferences.d" "$1/etc/postgresql-common/createcluster.d"' \
    --setup-hook="printf 'Package: *\nPin: release n=$nats_suite\nPin-Priority: 100\n' >\"\$1/etc/apt/preferences.d/$nats_suite\"" \
    --setup-hook='echo "create_main_cluster = false" >"$1/etc/postgresql-common/createcluster.d/none.conf"' \
    "$suite" "$new" "deb $from $suite main" "deb $from $nats_suite main"
}

nats_version() { chroot "$1" nats-server --version 2>/dev/null | sed -n 's/.*v\([0-9][0-9.]*\).*/\1/p'; }

install_root() {
  [[ ! -d $root ]] || return 0
  need_debian
  : >"$log"
  local from version new=$base/debian.new
  say "first time here: installing PostgreSQL 17 + pgvector and nats-server into $root"
  remove_tree "$new"
  from=$(mirror)
  if [[ -z $from ]] || ! command -v mmdebstrap >/dev/null; then
    say "reading this machine's package lists"
    quietly "apt-get update" host_apt update
    from=$(mirror)
  fi
  if [[ -z $from ]]; then
    tail -n 5 "$log" | sed 's/^/    /' >&2
    die "apt on this machine reaches no Debian archive" \
      "check the network, the proxy and /etc/apt/sources.list*; when apt-get update works: $0 up"
  fi
  if ! command -v mmdebstrap >/dev/null; then
    say "installing mmdebstrap on this machine (it builds the private root)"
    quietly "apt-get install mmdebstrap" host_apt install -y --no-install-recommends mmdebstrap
  fi
  say "building the private Debian 13 root from $from (log: $log)"
  quietly "building the private root" build_root "$new" "$from"
  version=$(nats_version "$new")
  [[ $(printf '%s\n' "$nats_minimum" "${version:-0}" | sort -V | head -n 1) == "$nats_minimum" ]] ||
    die "the archive's nats-server is ${version:-unreadable}, but at least $nats_minimum is needed" \
      "the mirror $from may be an old snapshot: point apt at a current one, then: $0 up"
  mv -T "$new" "$root"
  say "installed in $SECONDS s: $(inside "$pg_bin/postgres" --version), nats-server $version"
}

install_extra() {
  ((${#extra[@]})) || return 0
  ! inside dpkg -s "${extra[@]}" >/dev/null 2>&1 || return 0
  say "adding ${extra[*]} to the private root"
  cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
  quietly "apt-get update in the private root" inside apt-get -qq update
  quietly "installing ${extra[*]}" inside env DEBIAN_FRONTEND=noninteractive apt-get -y -qq --no-install-recommends install "${extra[@]}"
}

# Where mounting is forbidden (some containers), shared memory is files in the root's /dev/shm.
mount_root() {
  mountpoint -q "$root/proc" || mount -t proc proc "$root/proc" 2>/dev/null || true
  mountpoint -q "$root/dev/shm" || mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root/dev/shm" 2>/dev/null || true
  inside install -d -m 755 "$data"
  inside install -d -o postgres -g postgres -m 750 "$data/pg-run"
  inside install -d -o nats -g nats -m 750 "$data/nats"
}
