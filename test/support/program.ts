// The program in few files, as tests start it: finding and reading a thousand modules is most of what a start takes.
// What it does is in the sources, and where they stand it looks for the files beside it.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'

/** In the checkout itself: one with planted bugs shares its packages with another. */
const FOLDER = join(import.meta.dirname, '../../.compiled/program')

/** With the options that the program has after replacing itself, so that it need not. */
export const PROGRAM = ['--max-semi-space-size=8', '--no-parallel-scavenge', join(FOLDER, 'main.mjs')] as const

/** Packages that read files of their own, or are loaded by few starts. */
const LEFT_ALONE = /^(node:|sharp$|@napi-rs\/|pdfjs-dist\/|@aws-sdk\/|@opentelemetry\/(exporter|resources|sdk))/

const inPlace: Plugin = {
  name: 'in-place',
  transform: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
}

/** Vitest's global setup: before a test starts the program. */
export default async function bundle(): Promise<void> {
  // Not by those who only start the program.
  const { rolldown } = await import('rolldown')
  const program = await rolldown({ input: 'src/main.ts', platform: 'node', external: LEFT_ALONE, plugins: [inPlace] })
  const { output } = await program.generate({ entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  await program.close()
  mkdirSync(FOLDER, { recursive: true })
  // The first is `main.mjs`, which names the others.
  for (const file of output.toReversed()) keep(join(FOLDER, file.fileName), 'code' in file ? file.code : file.source)
}

/** Another run may be starting what is there. */
function keep(path: string, content: string | Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) return
  writeFileSync(`${path}.${process.pid}`, content)
  renameSync(`${path}.${process.pid}`, path)
}
