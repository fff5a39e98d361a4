// The program bundled into few files for tests: finding and reading a thousand modules is most of a start's time.
// The bundle is made of the sources and finds its data files beside them.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'

/** Inside the checkout: copies with mutations share their packages with it, but not the bundle. */
const FOLDER = join(import.meta.dirname, '../../.compiled/program')

/** With the flags that the program adds when it re-executes itself, so that it need not. */
export const PROGRAM = ['--max-semi-space-size=8', '--no-parallel-scavenge', join(FOLDER, 'main.mjs')] as const

/** Packages that read files beside their modules, or that few starts load. */
const LEFT_ALONE = /^(node:|sharp$|@napi-rs\/|pdfjs-dist\/|@aws-sdk\/|@opentelemetry\/(exporter|resources|sdk))/

const inPlace: Plugin = {
  name: 'in-place',
  transform: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
}

/** Vitest's global setup: bundles the program before tests start it. */
export default async function bundle(): Promise<void> {
  // Imported here so that tests that only start the program do not load the bundler.
  const { rolldown } = await import('rolldown')
  const program = await rolldown({ input: 'src/main.ts', platform: 'node', external: LEFT_ALONE, plugins: [inPlace] })
  const { output } = await program.generate({ entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  await program.close()
  mkdirSync(FOLDER, { recursive: true })
  // Written in reverse order: the first file, `main.mjs`, refers to the others.
  for (const file of output.toReversed())
    writeAtomically(join(FOLDER, file.fileName), 'code' in file ? file.code : file.source)
}

/** Replaces the file atomically: another run may be starting it. */
function writeAtomically(path: string, content: string | Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) return
  writeFileSync(`${path}.${process.pid}`, content)
  renameSync(`${path}.${process.pid}`, path)
}
