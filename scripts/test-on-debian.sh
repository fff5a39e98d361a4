#!/bin/sh
# A part of `npm run test:long`: the tests of the interface on PostgreSQL 15 as Debian packages it, with its own
# defaults. The server of the other tests is newer, and has no compiler, which `jit = on` would use.
set -e
programs=/usr/lib/postgresql/15/bin
if [ ! -x $programs/postgres ]; then
  if ! command -v apt-get > /dev/null; then
    echo 'PostgreSQL 15 of Debian was not tried: there is no apt-get here.'
    exit 0
  fi
  apt-get install --yes --no-install-recommends postgresql-15
fi
POSTGRES_PROGRAMS=$programs STORES=postgres exec npx vitest run --maxWorkers=2 "${@:-test/api}"
