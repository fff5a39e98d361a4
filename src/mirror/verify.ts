// Compares every record of a mirror with its source, within the source's quotas.
import type { ReadTx } from '../store/store.ts'
import { DocumentReader, statesOf, withState } from './document-reader.ts'
import type { Abilities } from './document-state.ts'
import { keysHere } from './document-writer.ts'
import { KeySet } from './key-set.ts'
import type { MirroredDocument } from './mirrored-documents.ts'
import type { ErpSource } from './source/source.ts'

export interface Difference {
  readonly key: readonly string[]
  readonly what: 'missing here' | 'different here' | 'only here'
}

export interface Verified {
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
