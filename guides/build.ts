// `npm run guides`: builds the site of the guides into dist/guides, unless the one there was built of the same files.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const SITE = join(ROOT, 'dist/guides')
/** Everything that a page is made of. */
const SOURCES = [
  'docs/changes.md',
  'guides/**/*',
  'guides/.vitepress/**/*.ts',
  'examples/demo/company.yaml',
  'package-lock.json',
]

export default async function buildGuides(): Promise<void> {
  const hash = sourcesHash()
  const builtOf = join(SITE, 'sources.json')
  if (existsSync(builtOf) && JSON.parse(readFileSync(builtOf, 'utf8')).hash === hash) return
  const folder = `${SITE}-${process.pid}`
  const { build } = await import('vitepress')
  try {
    await build(join(ROOT, 'guides'), { outDir: folder })
    writeFileSync(join(folder, 'sources.json'), JSON.stringify({ hash }))
    rmSync(SITE, { recursive: true, force: true })
    renameSync(folder, SITE)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function sourcesHash(): string {
  const hash = createHash('sha256')
  for (const file of globSync(SOURCES, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort())
    hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

if (import.meta.main) await buildGuides()
