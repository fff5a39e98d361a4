// The word index of documents: a column of `document_text`.
import { sql } from 'kysely'
import type { SearchedWord } from '../../../model/words.ts'
import { type FullText, termsWithin } from '../../../sql/dialect.ts'

export const fullText: FullText = {
  addDocument: (p) => sql`insert into document_text (company_id, document_id, updated_at)
        values (${p('companyId')}, ${p('documentId')}, ${p('at')})`,
  removeWords: (p) =>
    sql`update document_text set words = '' where company_id = ${p('companyId')} and document_id = ${p('documentId')}`,
  addWords: (p) => sql`update document_text set words = array_to_tsvector(string_to_array(${p('words')}::text, ' '))
          where company_id = ${p('companyId')} and document_id = ${p('documentId')}`,
  documentsWith: (companyId, words, bind) =>
    `select x.document_id from document_text x where x.words @@ ${bind(queryOf(companyId, words))}::tsquery and x.company_id = ${bind(companyId)}`,
}

/** A text search query that requires all words. */
function queryOf(companyId: string, words: readonly SearchedWord[]): string {
  return termsWithin(companyId, words)
    .map(({ word, isPrefix }) => `'${word}'${isPrefix ? ':*' : ''}`)
    .join(' & ')
}
