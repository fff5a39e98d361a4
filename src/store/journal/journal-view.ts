// The change log as clients read it: entries with their origins, their texts and hashes as text, and the previous hash.
// Missing rows never hide an entry: `audit verify` reports what was removed.

/** Engine-specific SQL for the stored columns. Arguments and results are SQL expressions. */
export interface JournalSql {
  /** Decompresses a text. `prefix` is itself compressed. */
  text(packed: string, dictionary: string, prefix?: string): string
  hex(bytes: string): string
  instant(milliseconds: string): string
}

const DICTIONARY =
  '(select d.bytes from journal_dictionary d where d.company_id = t.company_id and d.dictionary_no = t.dictionary_no)'

/** The text that follows `create view`. */
export function journalView(engine: JournalSql): string {
  const origin = (column: string) => `coalesce(o.${column}, '') as ${column}`
  const hash = (entry: string) => engine.hex(`substr(${entry}.hash, 1, 32)`)
  return `audit_entry as
    select t.company_id, t.entry_no, ${origin('entity')}, t.record_key, ${origin('operation')}, ${origin('user_id')},
      ${origin('client_id')}, ${engine.instant('t.at')} as at, t.request_id,
      ${engine.text('t.before', DICTIONARY, 't.after')} as before, ${engine.text('t.after', DICTIONARY)} as after,
      coalesce((select ${hash('p')} from journal_entry p where p.company_id = t.company_id and p.entry_no < t.entry_no
        order by p.entry_no desc limit 1), '') as previous_hash,
      ${hash('t')} as hash
    from journal_entry t left join journal_origin o on o.company_id = t.company_id and o.origin_no = t.origin_no`
}
