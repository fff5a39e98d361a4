#!/bin/sh
# Checks a file of a release by the SHA256SUMS in its folder, without a network.
set -eu
[ $# -eq 1 ] || { echo "usage: $0 FILE" >&2; exit 2; }
cd "$(dirname "$1")"
name=$(basename "$1")
sums=$(awk -v name="$name" '$2 == name' SHA256SUMS)
[ -n "$sums" ] || { echo "$name is not in SHA256SUMS" >&2; exit 1; }
echo "$sums" | sha256sum --check
