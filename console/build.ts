// `npm run console`: builds the console into dist/console, unless the one there was built of the same files.
import { fileURLToPath } from 'node:url'
import { buildSite } from '../scripts/build-site.ts'

/** Everything that the console is made of. */
export const SOURCES = [
  'console/**/*',
  'packages/client/src/**/*',
  'src/base/**/*',
  'src/files/text/{office-parts,xml-reader}.ts',
  'src/model/word-parts.ts',
  'src/query/parse/**/*',
  'src/transfer/rows/text-form.ts',
  'package-lock.json',
]

export default function buildConsole(): Promise<void> {
  return buildSite('console', SOURCES, async (outDir) => {
    const { build } = await import('vite')
    // Vite would build for tests when tests begin it.
    const { NODE_ENV } = process.env
    process.env.NODE_ENV = 'production'
    await build({ configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)), build: { outDir } }).finally(
      () => {
        if (NODE_ENV === undefined) delete process.env.NODE_ENV
        else process.env.NODE_ENV = NODE_ENV
      },
    )
  })
}

if (import.meta.main) await buildConsole()
