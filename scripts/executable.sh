#!/bin/sh
# Makes FILE of an installation (scripts/installation.sh): it holds Node.js and the program, and unpacks them once for
# each user. Node's own single executables were not taken: the program starts processes of Node.js with limits that are
# options, and such an executable takes none.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 FOLDER FILE" >&2; exit 2; }
archive=$(mktemp)
trap 'rm -f "$archive"' EXIT
# The same bytes for the same files, wherever and whenever they are made.
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --format=ustar -cf - -C "$1" . |
  gzip -n > "$archive"
hash=$(sha256sum "$archive" | cut -c 1-16)
sed "s/HASH/$hash/" > "$2" <<'EOF'
#!/bin/sh
# Tabularium. What follows the last line is an archive of Node.js and the program: each user unpacks it once.
set -eu
cache=${XDG_CACHE_HOME:-${HOME:?is not set: set XDG_CACHE_HOME to a folder for the program}/.cache}/tabularium
folder=$cache/HASH
if [ ! -d "$folder" ]; then
  (
    umask 077
    mkdir -p "$cache"
    part=$(mktemp -d "$cache/part.XXXXXX")
    trap 'rm -rf "$part"' EXIT
    tail -n +19 "$0" | tar -xzf - -C "$part"; chmod 700 "$part"
    # Another one may have been faster.
    mv -T "$part" "$folder" 2> /dev/null || [ -d "$folder" ]
  )
fi
[ -O "$folder" ] || { echo "tabularium: $folder is not yours" >&2; exit 1; }
exec "$folder/node" "$folder/bin/tabularium.js" "$@"
EOF
cat "$archive" >> "$2"
chmod 755 "$2"
