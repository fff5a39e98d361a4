#!/usr/bin/env node
// The program's door, in plain JavaScript that an old Node.js reads too: it is told what is needed in one line.
import { existsSync } from 'node:fs'

const OLDEST = 24
const PARENT_CHECK_MS = 500

const version = process.versions.node
if (Number(version.split('.')[0]) < OLDEST) {
  process.stderr.write(
    `tabularium: Node.js ${OLDEST} or newer is needed, and this is ${version}: get it from nodejs.org, or as a package with 'npm install node@${OLDEST}' (in a checkout 'npm rebuild node')\n`,
  )
  process.exitCode = 1
} else {
  if (process.env.npm_lifecycle_event !== undefined) endWithParent()
  // A checkout runs its sources, a package what was built of them.
  const sources = new URL('../src/main.ts', import.meta.url)
  await import((existsSync(sources) ? sources : new URL('../dist/main.js', import.meta.url)).href)
}

/** npm hands signals to a shell between us, which ends without telling us. */
function endWithParent() {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, PARENT_CHECK_MS).unref()
}
