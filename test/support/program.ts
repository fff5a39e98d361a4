// The program bundled into few files for tests: finding and reading a thousand modules is most of a start's time.
// The bundle is made of the sources and finds its data files beside them.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'

/** Inside the checkout: copies with mutations share their packages with it, but not the bundle. */
const FOLDER = join(import.meta.dirname, '../../.compiled/program')

export const PROGRAM = programIn(FOLDER)

/** With the flags that the program adds when it re-executes itself, so that it need not. */
export function programIn(folder: string): readonly string[] {
  return ['--max-semi-space-size=8', '--no-parallel-scavenge', join(folder, 'main.mjs')]
}

/** Packages that read files beside their modules, or that few starts load. */
const LEFT_ALONE = /^(node:|sharp$|@napi-rs\/|pdfjs-dist\/|@aws-sdk\/|@opentelemetry\/(exporter|resources|sdk))/

/** `tree` is where the sources are found by then. */
function inPlace(root: string, tree: string): Plugin {
  const placeOf = (id: string) => JSON.stringify(pathToFileURL(join(tree, relative(root, id))).href)
  return { name: 'in-place', transform: (code, id) => code.replaceAll('import.meta.url', placeOf(id)) }
}

/** Vitest's global setup: bundles the program before tests start it. */
export default function bundle(): Promise<void> {
  return bundleInto(FOLDER, process.cwd())
}

/** Bundles the program of the sources at `root`, which will be at `tree`, into a folder. */
export async function bundleInto(folder: string, root: string, tree = root): Promise<void> {
  // Imported here so that tests that only start the program do not load the bundler.
  const { rolldown } = await import('rolldown')
  const plugins = [inPlace(root, tree)]
  const input = join(root, 'src/main.ts')
  const program = await rolldown({ cwd: root, input, platform: 'node', external: LEFT_ALONE, plugins })
  const { output } = await program.generate({ entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  await program.close()
  mkdirSync(folder, { recursive: true })
  // Written in reverse order: the first file, `main.mjs`, refers to the others.
  for (const file of output.toReversed())
    writeAtomically(join(folder, file.fileName), 'code' in file ? file.code : file.source)
}

/** Replaces the file atomically: another run may be starting it. */
function writeAtomically(path: string, content: string | Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) return
  writeFileSync(`${path}.${process.pid}`, content)
  renameSync(`${path}.${process.pid}`, path)
}
