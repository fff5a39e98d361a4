// Compares every record of a mirror with its source, within the source's quotas.
import { hash } from 'node:crypto'
import { listDocumentIds, NO_FILE } from '../records/documents/copied-document-store.ts'
import { listRevisions } from '../records/documents/revision-store.ts'
import type { ReadTx } from '../store/store.ts'
import { readRevision } from './archive-contents.ts'
import { DocumentReader, statesOf, withState } from './document-reader.ts'
import type { Abilities } from './document-state.ts'
import { keysHere } from './document-writer.ts'
import { KeySet } from './key-set.ts'
import type { MirroredDocument } from './mirrored-documents.ts'
import { type ErpSource, SourceFailure } from './source/source.ts'

interface Difference {
  readonly key: readonly string[]
  readonly what: 'missing here' | 'different here' | 'only here' | 'another content here' | 'no content there'
}

interface Verified {
  /** Records of the source. */
  readonly compared: number
  readonly differences: number
}

/** Tells each difference. What changes at the source meanwhile may be told too: a second look shows it. */
export async function verifyDocument(
  tx: ReadTx,
  source: ErpSource,
  { asked, kind, states }: MirroredDocument,
  abilities: Abilities,
  tell: (difference: Difference) => void,
): Promise<Verified> {
  const reader = new DocumentReader(source, asked, Date.now, abilities)
  const never = new AbortController().signal
  const known = new KeySet()
  let differences = 0
  const found = (difference: Difference) => {
    differences += 1
    tell(difference)
  }
  for (const state of statesOf(states)) {
    for await (const { rows } of reader.pages({ state }, never)) {
      for (const row of rows) {
        const record = kind.read(withState(row, state))
        if (!record) continue
        const { texts } = record.key
        known.add(texts)
        if (await kind.isSame(tx, record)) continue
        found({ key: texts, what: (await kind.has(tx, record.key)) ? 'different here' : 'missing here' })
      }
    }
  }
  for await (const keys of keysHere(tx, kind)) {
    for (const { texts } of keys) if (!known.has(texts)) found({ key: texts, what: 'only here' })
  }
  return { compared: known.size, differences }
}

interface VerifiedContents extends Verified {
  /** Those that have not come yet. */
  readonly awaited: number
}

const AT_ONCE = 1_000

/** Compares the content of each revision that is here with that of the source, by their hashes. */
export async function verifyContents(
  tx: ReadTx,
  source: ErpSource,
  tell: (difference: Difference) => void,
): Promise<VerifiedContents> {
  let [compared, differences, awaited] = [0, 0, 0]
  for await (const { document_id, revision_no, file_hash } of revisionsHere(tx)) {
    if (file_hash === NO_FILE) {
      awaited += 1
      continue
    }
    compared += 1
    const there = await hashAt(source, document_id, revision_no)
    if (there === file_hash) continue
    differences += 1
    const what = there === undefined ? 'no content there' : 'another content here'
    tell({ key: [document_id, String(revision_no)], what })
  }
  return { compared, differences, awaited }
}

async function* revisionsHere(tx: ReadTx) {
  for (let after = ''; ; ) {
    const documents = await listDocumentIds(tx, after, AT_ONCE)
    for (const documentId of documents) {
      for (let above = 0; ; ) {
        const revisions = await listRevisions(tx, documentId, above, AT_ONCE)
        yield* revisions
        above = revisions.at(-1)?.revision_no ?? above
        if (revisions.length < AT_ONCE) break
      }
    }
    after = documents.at(-1) ?? after
    if (documents.length < AT_ONCE) return
  }
}

/** Undefined: the source has no content of this revision. Throws `SourceFailure` where it does not answer. */
async function hashAt(source: ErpSource, documentId: string, revisionNo: number): Promise<string | undefined> {
  try {
    return hash('sha256', (await readRevision(source, documentId, revisionNo)).content, 'hex')
  } catch (error) {
    if (error instanceof SourceFailure && HAS_NONE.has(error.status)) return undefined
    throw error
  }
}

const HAS_NONE: ReadonlySet<number> = new Set([400, 404, 422])
