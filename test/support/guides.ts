// What a page of the guides shows to be typed or sent, as the tests run it: there is no copy of it anywhere.
import { globSync, readFileSync } from 'node:fs'

/** The README, and every page of the site. */
export const PAGES = ['README.md', ...globSync('guides/*/*.md').sort()]

/** The printed answer of a block, with `…` for what is left out. */
interface Printed {
  /** For a response other than 200: its status. */
  readonly note: string
  readonly text: string
}

export interface Block {
  readonly page: string
  readonly language: string
  readonly text: string
  /** The block directly behind it, if it prints the answer. */
  readonly answer?: Printed
  /** The blocks before it on the page. */
  readonly before: readonly Block[]
}

const ANSWERS = ['json', 'text']

export function blocksOf(page: string): Block[] {
  const found = [...readFileSync(page, 'utf8').matchAll(/^( *)```(\w+) ?(.*)\n([\s\S]*?)\n\1```\n(?=(\n```)?)/gm)].map(
    ([, indent = '', language = '', note = '', text = '', next]) => {
      const isFollowed = next !== undefined
      return { language, note, text: text.replaceAll(`\n${indent}`, '\n').slice(indent.length), isFollowed }
    },
  )
  const blocks: Block[] = []
  for (const [index, { language, text, isFollowed }] of found.entries()) {
    const next = found[index + 1]
    const isAnswered = isFollowed && next !== undefined && ANSWERS.includes(next.language)
    const answer = isAnswered ? { answer: { note: next.note, text: next.text } } : {}
    if (!ANSWERS.includes(language)) blocks.push({ page, language, text, ...answer, before: [...blocks] })
  }
  return blocks
}

export interface Counted {
  readonly page: string
  /** With its parameters, such as `general-ledger-transactions?posted=true`. */
  readonly document: string
  readonly filter: string
  readonly found: number
}

/** The rows of tables that begin with a filter and end with the number of records that it finds. */
export function filtersOf(page: string): Counted[] {
  const tables = readFileSync(page, 'utf8').matchAll(/^\| filter of `([^`]+)` \|.*\n\|---.*\n((?:\|.*\n)+)/gm)
  return [...tables].flatMap(([, document = '', rows = '']) =>
    [...rows.matchAll(/^\| `(.+?)` \|.* ([\d,]+) \|$/gm)].map(([, filter = '', found = '']) => {
      return { page, document, filter, found: Number(found.replaceAll(',', '')) }
    }),
  )
}
