// `npm run guides`: builds the site of the guides into dist/guides, unless the one there was built of the same files.
import { buildSite } from '../scripts/build-site.ts'

/** Everything that a page is made of. */
export const SOURCES = [
  'guides/**/*',
  'guides/.vitepress/**/*.ts',
  'docs/console/*-light.png',
  'examples/demo/company.yaml',
  'package-lock.json',
]

export default function buildGuides(): Promise<void> {
  return buildSite('guides', SOURCES, async (outDir) => {
    const { build } = await import('vitepress')
    await build(import.meta.dirname, { outDir })
  })
}

if (import.meta.main) await buildGuides()
