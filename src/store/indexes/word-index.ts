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

/** The terms that a document of the company must contain. */
export function termsWithin(companyId: string, terms: readonly WordTerm[]): readonly WordTerm[] {
  return [{ word: companyWord(companyId), isPrefix: false }, ...terms]
}
