// Pages of a document on their way from the source into the mirror.
import type { DocumentReader, Walk, WalkedPage } from './document-reader.ts'
import type { DocumentState } from './document-state.ts'
import type { Answered, DocumentWriter } from './document-writer.ts'
import type { RemovedRecords } from './removed-records.ts'

export type DocumentPages = ReturnType<typeof documentPages>

export function documentPages(reader: DocumentReader, writer: DocumentWriter, removed: RemovedRecords) {
  return {
    /** All pages, each with the last entry of the journal before it was asked for. */
    async *read(walk: Walk, signal: AbortSignal): AsyncGenerator<WalkedPage & { readonly since: number }> {
      let since = await writer.lastEntry()
      for await (const page of reader.pages(walk, signal)) {
        yield { ...page, since }
        since = await writer.lastEntry()
      }
    },

    /** What a client has had read again meanwhile is asked for again: who was first is not known. */
    async write(answered: Answered, signal: AbortSignal, reached: Partial<DocumentState> = {}): Promise<void> {
      const outdated = await writer.write(answered, reached, signal)
      if (reader.abilities.isFiltered) await removed.confirm(outdated, { signal })
    },
  }
}
