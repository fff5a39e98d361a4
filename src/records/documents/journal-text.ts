import type { FoundDocument } from './document/document-store.ts'

/** A document as the journal stores it, with the hash in place of the content. */
export function journalTextOf({ before, after, file_hash }: FoundDocument): string {
  return `${before.slice(0, -1)},"fileHash":"${file_hash}",${after.slice(1)}`
}
