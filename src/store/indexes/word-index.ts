// The questions of the full-text search: words are joined with the company's own word, so that no company's posting
// lists are walked for another.
import { createHash } from 'node:crypto'

/** A word in every document of a company, and in no text: a section sign is no letter. */
export function companyWord(companyId: string): string {
  return `\u00a7${createHash('sha256').update(companyId).digest('hex').slice(0, 16)}`
}

export interface WordTerm {
  /** Letters and digits only. */
  readonly word: string
  readonly isPrefix: boolean
}

/** A question to SQLite's FTS5: all of the words. */
export function ftsQuery(companyId: string, terms: readonly WordTerm[]): string {
  return [{ word: companyWord(companyId), isPrefix: false }, ...terms]
    .map(({ word, isPrefix }) => `"${word}"${isPrefix ? ' *' : ''}`)
    .join(' AND ')
}

/** The same to PostgreSQL. */
export function tsQuery(companyId: string, terms: readonly WordTerm[]): string {
  return [{ word: companyWord(companyId), isPrefix: false }, ...terms]
    .map(({ word, isPrefix }) => `'${word}'${isPrefix ? ':*' : ''}`)
    .join(' & ')
}
