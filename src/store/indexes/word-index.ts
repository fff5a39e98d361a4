// Full-text queries: words are combined with a word for the company, so that no posting lists of other companies are
// scanned.
import { createHash } from 'node:crypto'

/**
 * A word that is indexed with every document of a company and occurs in no text, because a section sign is not a
 * letter.
 */
export function companyWord(companyId: string): string {
  return `\u00a7${createHash('sha256').update(companyId).digest('hex').slice(0, 16)}`
}

export interface WordTerm {
  /** Only letters and digits. */
  readonly word: string
  readonly isPrefix: boolean
}

/** An FTS5 query for SQLite that requires all words. */
export function ftsQuery(companyId: string, terms: readonly WordTerm[]): string {
  return [{ word: companyWord(companyId), isPrefix: false }, ...terms]
    .map(({ word, isPrefix }) => `"${word}"${isPrefix ? ' *' : ''}`)
    .join(' AND ')
}

/** The same query for PostgreSQL. */
export function tsQuery(companyId: string, terms: readonly WordTerm[]): string {
  return [{ word: companyWord(companyId), isPrefix: false }, ...terms]
    .map(({ word, isPrefix }) => `'${word}'${isPrefix ? ':*' : ''}`)
    .join(' & ')
}
