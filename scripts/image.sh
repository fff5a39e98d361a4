#!/bin/sh
# Makes FILE, an image (OCI layout in a tar archive) of an installation (scripts/installation.sh) for the processor of this
# machine, without a daemon: the packages of Debian that Node.js needs, and the installation. Needs apt-get and dpkg-deb.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 FOLDER FILE" >&2; exit 2; }
installation=$(realpath "$1") file=$(realpath -m "$2")
# A shell, because files that users upload are opened in processes whose memory is limited by one (ulimit).
packages='base-files ca-certificates dash libc6 libgcc-s1 libstdc++6 tzdata'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir packages root
(cd packages && apt-get download --quiet=2 -o APT::Sandbox::User=root $packages)
for package in packages/*.deb; do dpkg-deb --extract "$package" root; done
cat root/usr/share/ca-certificates/mozilla/*.crt > root/etc/ssl/certs/ca-certificates.crt
echo 'tabularium:x:1000:1000::/data:/bin/sh' > root/etc/passwd
echo 'tabularium:x:1000:' > root/etc/group
ln -sf dash root/bin/sh
rm -rf root/usr/share/man root/usr/share/lintian root/usr/share/locale
mkdir -p root/app root/data root/tmp
cp -r "$installation/." root/app
mv root/app/node root/usr/bin

# The same bytes for the same files, wherever and whenever they are made.
plain='--sort=name --mtime=@0 --numeric-owner --format=ustar -C root'
tar $plain --owner=0 --group=0 --mode=u=rwX,go=rX --exclude=./data --exclude=./tmp -cf layer .
tar $plain --owner=0 --group=0 --mode=1777 -rf layer ./tmp
tar $plain --owner=1000 --group=1000 --mode=755 -rf layer ./data

# Prints the digest of a file, which becomes a blob.
blob() { hash=$(sha256sum "$1" | cut -c 1-64) && mv "$1" "layout/blobs/sha256/$hash" && echo "sha256:$hash"; }
described() { printf '{"mediaType":"application/vnd.oci.image.%s","digest":"%s","size":%s}' "$1" "$2" "$3"; }
mkdir -p layout/blobs/sha256
difference=sha256:$(sha256sum layer | cut -c 1-64)
gzip -n layer
size=$(stat -c %s layer.gz)
layer=$(described layer.v1.tar+gzip "$(blob layer.gz)" "$size")
architecture=$(dpkg --print-architecture)
cat > config <<EOF
{"architecture":"$architecture","os":"linux","rootfs":{"type":"layers","diff_ids":["$difference"]},"config":{
"User":"1000:1000","WorkingDir":"/app","Volumes":{"/data":{}},"ExposedPorts":{"8080/tcp":{}},
"Env":["PATH=/usr/bin:/bin","NODE_ENV=production","TABULARIUM_HOST=0.0.0.0","TABULARIUM_DATA=/data"],
"Entrypoint":["node","/app/bin/tabularium.js"],"Cmd":["serve"],
"Healthcheck":{"Test":["CMD","node","/app/bin/tabularium.js","health"],
"Interval":10000000000,"Timeout":6000000000,"StartPeriod":60000000000,"Retries":3},
"Labels":{"org.opencontainers.image.title":"Tabularium","org.opencontainers.image.licenses":"Apache-2.0"}}}
EOF
size=$(stat -c %s config)
config=$(described config.v1+json "$(blob config)" "$size")
printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":%s,"layers":[%s]}' \
  "$config" "$layer" > manifest
size=$(stat -c %s manifest)
manifest=$(described manifest.v1+json "$(blob manifest)" "$size")
printf '{"schemaVersion":2,"manifests":[%s,"annotations":{"org.opencontainers.image.ref.name":"tabularium"}}]}' \
  "${manifest%?}" > layout/index.json
printf '{"imageLayoutVersion":"1.0.0"}' > layout/oci-layout
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -cf "$file" -C layout .
