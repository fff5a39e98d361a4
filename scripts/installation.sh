#!/bin/sh
# Makes an installation for Linux in FOLDER: Node.js and the package, with the library for pictures. The executable and
# the image are made of it. Nothing is compiled, so one machine makes it for x64 and arm64.
set -eu
[ $# -eq 3 ] || { echo "usage: $0 x64|arm64 PACKAGE FOLDER" >&2; exit 2; }
cpu=$1 package=$(realpath "$2") folder=$3
checkout=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$folder/node_modules"
folder=$(realpath "$folder")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# As the lock file has them.
cp "$checkout/package.json" "$checkout/package-lock.json" "$work"
cd "$work"
npm ci --silent --omit=dev --ignore-scripts --no-audit --no-fund --os=linux --cpu="$cpu" --libc=glibc
for name in sharp detect-libc semver @img; do cp -r "node_modules/$name" "$folder/node_modules"; done

npm pack --silent "node-linux-$cpu@$(node -p 'require("./package-lock.json").packages["node_modules/node"].version')" > name
tar -xzf "$(cat name)"
mv package/bin/node "$folder/node"
mv package/LICENSE "$folder/LICENSE.node"

tar -xzf "$package" -C "$folder" --strip-components=1
