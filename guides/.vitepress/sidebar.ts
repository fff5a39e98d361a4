// The table of contents: each folder is a part, each page a line of it, by its heading and its `order`.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PARTS: Readonly<Record<string, string>> = {
  start: 'Start',
  concepts: 'Concepts',
  query: 'Query language',
  recipes: 'Recipes',
  administration: 'Administration',
  reference: 'Reference',
}

interface Page {
  readonly text: string
  readonly link: string
  readonly order: number
}

export function sidebarOf(folder: string): { text: string; items: readonly Page[] }[] {
  return Object.entries(PARTS).map(([part, text]) => ({
    text,
    items: readdirSync(join(folder, '..', part))
      .filter((file) => file.endsWith('.md'))
      .map((file) => pageOf(join(folder, '..', part, file), `/${part}/${file.replace(/(?:index)?\.md$/, '')}`))
      .sort((one, other) => one.order - other.order || (one.text < other.text ? -1 : 1)),
  }))
}

/** A page without `order` stands behind those that have one. */
function pageOf(file: string, link: string): Page {
  const text = readFileSync(file, 'utf8')
  const [, order = '1000'] = /^---\n(?:.*\n)*?order: (\d+)\n/.exec(text) ?? []
  const [, title = link] = /^# (.+)$/m.exec(text) ?? []
  return { text: title, link, order: Number(order) }
}
