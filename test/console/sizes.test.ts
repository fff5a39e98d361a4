// What a browser loads of the console, compressed as the service compresses it: at first, and for each page.
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { contentOf } from '../../src/http/system/site-files.ts'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
  readonly css?: readonly string[]
}

const SITE = new URL('../../dist/console/', import.meta.url)
const FIRST_LOAD_KB = 210
const PAGE_KB = 99
/** They come when somebody opens such a file, compares records, changes a cell, copies or prints, and not with the page. */
const VIEWS = [
  'src/pages/document/pdf-view.tsx',
  'src/pages/document/office-view.tsx',
  'src/pages/document/mail-view.tsx',
  'src/pages/grid/cell-edit.tsx',
  'src/pages/grid/clipboard.ts',
  'src/pages/grid/compare-sheet.tsx',
  'src/pages/grid/printed-rows.tsx',
  'src/pages/grid/show-on-home.tsx',
]

const manifest: Readonly<Record<string, Chunk>> = JSON.parse(contentOf(SITE, 'manifest.json').toString())

/** The files of a module with all that it imports at once. */
function filesOf(name: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[name]
  if (!chunk || found.has(chunk.file)) return found
  for (const file of [chunk.file, ...(chunk.css ?? [])]) found.add(file)
  for (const imported of chunk.imports ?? []) filesOf(imported, found)
  return found
}

function kilobytesOf(files: Iterable<string>): number {
  return [...files].reduce((sum, file) => sum + gzipSync(contentOf(SITE, file)).length, 0) / 1_000
}

const first = new Set([...filesOf('index.html'), ...filesOf('src/app.tsx')])
const pages = Object.keys(manifest).filter((name) => /^src\/pages\/[^/]+\/page\.tsx$/.test(name))

it(`loads at most ${FIRST_LOAD_KB} kB at first`, () => {
  expect(manifest['src/app.tsx']?.file).toBeDefined()
  expect(kilobytesOf(first)).toBeLessThanOrEqual(FIRST_LOAD_KB)
})

it.each(pages)(`loads at most ${PAGE_KB} kB more for %s`, (page) => {
  const lazy = (manifest[page]?.dynamicImports ?? []).filter((name) => !VIEWS.includes(name))
  const more = [...filesOf(page), ...lazy.flatMap((name) => [...filesOf(name)])].filter((file) => !first.has(file))
  expect(kilobytesOf(new Set(more))).toBeLessThanOrEqual(PAGE_KB)
})

it.each(VIEWS)(`loads at most ${PAGE_KB} kB more for %s`, (view) => {
  const page = view.replace(/[^/]+$/, 'page.tsx')
  expect(manifest[page]?.dynamicImports).toContain(view)
  expect(kilobytesOf([...filesOf(view)].filter((file) => !first.has(file)))).toBeLessThanOrEqual(PAGE_KB)
})

it('knows all pages', () => {
  expect(pages.length).toBeGreaterThanOrEqual(9)
})
