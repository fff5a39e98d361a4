// Builds a folder of files that the service serves, unless the one there was built of the same sources. Each file is
// compressed: a site is most of what is installed, and little of it is asked for.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

/** The highest, 11, takes ten times as long for a twentieth. */
const OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const ROOT = join(import.meta.dirname, '..')

/** Builds into `dist/NAME`. `sources` are patterns of all files that it is made of, below the root of the project. */
export async function buildSite(
  name: string,
  sources: readonly string[],
  build: (outDir: string) => Promise<void>,
): Promise<void> {
  const site = join(ROOT, 'dist', name)
  const hash = hashOf(sources)
  const builtOf = join(site, 'sources.json')
  if (existsSync(builtOf) && JSON.parse(readFileSync(builtOf, 'utf8')).hash === hash) return
  const folder = `${site}-${process.pid}`
  try {
    await build(folder)
    compress(folder)
    writeFileSync(join(folder, 'sources.json'), JSON.stringify({ hash }))
    rmSync(site, { recursive: true, force: true })
    renameSync(folder, site)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function compress(folder: string): void {
  for (const entry of globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile())) {
    const file = join(entry.parentPath, entry.name)
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file), OPTIONS))
    rmSync(file)
  }
}

function hashOf(sources: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of globSync([...sources], { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort())
    hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}
