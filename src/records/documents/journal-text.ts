import type { FoundDocument } from './document-store.ts'

/** A document as the journal keeps it: all but its content, which its hash stands for. */
export function journalTextOf({ before, after, file_hash }: FoundDocument): string {
  return `${before.slice(0, -1)},"fileHash":"${file_hash}",${after.slice(1)}`
}
