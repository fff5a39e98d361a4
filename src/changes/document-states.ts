// The texts of documents, from entry to entry: a revision is judged by its document, and what a purge has removed was
// what earlier entries say.

import { ENTITY as DOCUMENT, REVISION_ENTITY as REVISION } from '../records/documents/document.ts'
import { findDocument, journalTextOf } from '../records/documents/document-store.ts'
import { firstRevision } from '../records/kinds/document-text.ts'
import { keyOf, type LogEntry, textsOf } from './log-entry.ts'
import type { LogTx } from './log-source.ts'
import { startOf } from './log-store.ts'
import { type StatesWanted, statesUpTo } from './record-states.ts'

const DOCUMENT_ENTITIES: readonly string[] = [DOCUMENT, REVISION]

type Followed = Pick<LogEntry, 'entity' | 'recordKey' | 'operation' | 'after'>

interface DocumentState {
  /** As the journal has it. */
  text: string
  /** By their numbers. */
  readonly revisions: Map<number, string>
}

export class DocumentStates {
  readonly #documents = new Map<string, DocumentState>()

  /** Reads the states after all entries up to a number. */
  async load(tx: LogTx, ids: ReadonlySet<string>, wanted: StatesWanted): Promise<void> {
    if (ids.size === 0) return
    const starts = [...ids].flatMap((id) => [startOf([id], true), startOf([id], false)])
    const states = await statesUpTo(tx, starts, DOCUMENT_ENTITIES, wanted)
    for (const id of ids) this.#documents.set(id, { text: '', revisions: new Map() })
    const known = new Set<string>()
    for (const state of states) {
      this.apply({ ...state, operation: 'update', after: state.text })
      if (state.entity === DOCUMENT) known.add(String(keyOf(state)[0]))
      await tx.steps.pause()
    }
    const created = states.filter(({ entity, createdNo }) => entity === DOCUMENT && createdNo > 0)
    const texts = await textsOf(
      tx,
      created.map(({ createdNo }) => createdNo),
    )
    for (const { recordKey, createdNo } of created) this.#addFirst(recordKey, texts.get(createdNo)?.read().after ?? '')
    for (const [id, document] of this.#documents) {
      if (known.has(id)) continue
      const found = await findDocument(tx, id)
      if (found) document.text = journalTextOf(found)
    }
  }

  /** Follows an entry. */
  apply({ entity, recordKey, operation, after }: Followed): void {
    const [id, revisionNo] = keyOf({ recordKey }) as [string, number]
    const document = this.#documents.get(id) ?? { text: '', revisions: new Map() }
    this.#documents.set(id, document)
    if (entity === REVISION) document.revisions.set(revisionNo, after)
    else document.text = after
    if (entity === DOCUMENT && operation === 'create') this.#addFirst(recordKey, after)
  }

  #addFirst(recordKey: string, created: string): void {
    const [id] = keyOf({ recordKey }) as [string]
    if (created !== '') this.#documents.get(id)?.revisions.set(1, firstRevision(created))
  }

  /** The text of a document as the journal has it; empty when it is not known. */
  textOf(id: string): string {
    return this.#documents.get(id)?.text ?? ''
  }

  /** The revisions of a document by their numbers; texts that are not known are empty. */
  revisionsOf(id: string): { readonly revisionNo: number; readonly text: string }[] {
    const document = this.#documents.get(id)
    if (!document || document.text === '') return []
    const { revisionNo: count } = JSON.parse(document.text) as { revisionNo: number }
    return Array.from({ length: count }, (_, index) => {
      const revisionNo = index + 1
      return { revisionNo, text: document.revisions.get(revisionNo) ?? '' }
    })
  }
}
