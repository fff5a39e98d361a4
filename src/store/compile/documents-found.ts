// The documents of the archive that a full-text search finds.
import { WORDS_VERSION, type WordSearch } from '../../model/former-words.ts'
import type { SqlParameters } from './emitter.ts'

/** Selects their ids. */
export function documentsFound({ words, former }: WordSearch, emitter: SqlParameters): string {
  const { companyId, dialect } = emitter
  const documentsWith = (searched: WordSearch['words']) =>
    dialect.fullText.documentsWith(companyId, searched, (value) => emitter.bind(value, 'string'))
  const found = documentsWith(words)
  if (!former || former.length === 0) return found
  return `${found} union all ${documentsWith(former)} and x.words_version < ${WORDS_VERSION}`
}
