// The word index of documents: an FTS5 table whose rowid is `search_no`.
import { sql } from 'kysely'
import type { SearchedWord } from '../../../model/words.ts'
import { type FullText, termsWithin } from '../../../sql/dialect.ts'

export const fullText: FullText = {
  addDocument: (p) => sql`insert into document_text (company_id, document_id, search_no, updated_at)
        values (${p('companyId')}, ${p('documentId')}, (select coalesce(max(search_no), 0) + 1 from document_text), ${p('at')})`,
  removeWords: (p) => sql`delete from document_words where rowid = ${p('searchNo')}`,
  addWords: (p) => sql`insert into document_words (rowid, words) values (${p('searchNo')}, ${p('words')})`,
  documentsWith: (companyId, words, bind) =>
    `select x.document_id from document_words join document_text x on x.search_no = document_words.rowid where document_words match ${bind(matchOf(companyId, words))} and x.company_id = ${bind(companyId)}`,
}

/** An FTS5 query that requires all words. */
function matchOf(companyId: string, words: readonly SearchedWord[]): string {
  return termsWithin(companyId, words)
    .map(({ word, isPrefix }) => `"${word}"${isPrefix ? ' *' : ''}`)
    .join(' AND ')
}
