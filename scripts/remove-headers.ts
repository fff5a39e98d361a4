// Removes the C headers that the package of Node.js brings, 67 MB: nothing is compiled here, which `test/docs.test.ts`
// holds.
import { globSync, rmSync } from 'node:fs'

for (const folder of globSync('node_modules/node/node_modules/node-*/include')) rmSync(folder, { recursive: true })
