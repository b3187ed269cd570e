#!/bin/sh
# Installs a release of Gatehouse, after it has compared the download with the release's SHA256SUMS.
#
#   sh install.sh VERSION                  as root, with apt: the Debian package, with the service
#   sh install.sh VERSION --prefix DIR     the program alone, with manual page and completions: DIR/bin/gatehouse
#
# Another version replaces the one that is installed. `--url BASE` names a mirror: BASE/VERSION/SHA256SUMS.
# The releases run on Debian 12 and later, and systems with the same libraries, such as Ubuntu 24.04.
set -eu

fail() {
  printf 'install.sh: %s\n' "$@" >&2
  exit 1
}

base=https://github.com/example/gatehouse/releases/download
version=''
prefix=''
while [ $# -gt 0 ]; do
  case $1 in
    --url) base=${2:?} && shift ;;
    --prefix) prefix=${2:?} && shift ;;
    [0-9]*) version=$1 ;;
    *) fail "what is $1? Run: sh install.sh VERSION [--prefix DIR] [--url BASE]" ;;
  esac
  shift
done
[ -n "$version" ] || fail "name the version: sh install.sh VERSION"
[ "$(uname -s)" = Linux ] || fail "there are releases for Linux only. On other systems, build it: see README.md"
command -v curl >/dev/null || fail "curl is missing: apt-get install curl"

if [ -n "$prefix" ]; then
  file=gatehouse-$version-linux-$(uname -m).tar.gz
else
  command -v apt-get >/dev/null || fail "there is no apt-get here: give --prefix DIR"
  [ "$(id -u)" = 0 ] || fail "run it as root, or give --prefix DIR"
  file=gatehouse_$(printf %s "$version" | tr - '~')_$(dpkg --print-architecture).deb
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# apt reads the package as a user of its own.
chmod 0755 "$folder"
for name in SHA256SUMS "$file"; do
  curl --fail --silent --show-error --location --output "$folder/$name" "$base/$version/$name" ||
    fail "$base/$version/$name can't be downloaded"
done
(cd "$folder" && grep -F "  $file" SHA256SUMS | sha256sum --check --quiet --strict) ||
  fail "$file isn't the file that SHA256SUMS lists. Nothing was installed"

if [ -n "$prefix" ]; then
  mkdir -p "$prefix"
  tar -xzf "$folder/$file" -C "$prefix" --strip-components 1
  "$prefix/bin/gatehouse" --version
else
  apt-get install --yes --allow-downgrades "$folder/$file"
fi
