// Builds a folder of files that the service serves, unless the one there was built of the same sources.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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
    writeFileSync(join(folder, 'sources.json'), JSON.stringify({ hash }))
    rmSync(site, { recursive: true, force: true })
    renameSync(folder, site)
  } finally {
    rmSync(folder, { recursive: true, force: true })
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
