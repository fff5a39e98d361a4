#!/bin/sh
# `npm run release`: makes all files of a release of this checkout, in the folder `release`: the package, an executable for
# each processor, the image for that of this machine (on Debian), the list of parts, and the checksums.
set -eu
cd "$(dirname "$0")/.."
rm -rf release
mkdir release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm pack --silent --pack-destination release
package=$(ls release/*.tgz)
name=${package%.tgz}
for cpu in x64 arm64; do
  sh scripts/installation.sh $cpu "$package" "$work/$cpu"
  sh scripts/executable.sh "$work/$cpu" "$name-linux-$cpu"
done
case $(uname -m) in aarch64) cpu=arm64 ;; *) cpu=x64 ;; esac
! command -v apt-get > /dev/null || sh scripts/image.sh "$work/$cpu" "$name-image-$cpu.tar"
node_modules/.bin/node scripts/list-parts.ts > "$name.cdx.json"
(cd release && sha256sum -- * > "$work/sums" && mv "$work/sums" SHA256SUMS)
cat release/SHA256SUMS
