// Removes from what npm has installed the files that nothing here reads: the C headers of Node.js, 67 MB, because nothing
// is compiled here, which `test/docs.test.ts` holds, and the source maps of packages, 64 MB.
import { globSync, rmSync } from 'node:fs'

const UNREAD = ['node_modules/node/node_modules/node-*/include', 'node_modules/**/*.map']

for (const path of globSync(UNREAD)) rmSync(path, { recursive: true })
