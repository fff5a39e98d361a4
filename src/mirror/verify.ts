// Compares every record of a mirror with its source, within the source's quotas.
import type { RecordKey } from '../records/engine/record-kind.ts'
import type { ReadTx } from '../store/store.ts'
import type { DocumentState } from './document-state.ts'
import { KeySet } from './key-set.ts'
import type { MirroredDocument } from './mirrored-documents.ts'
import type { ErpSource } from './source/source.ts'
import { PageSize, readPage } from './source/source-pages.ts'

export interface Difference {
  readonly key: readonly string[]
  readonly what: 'missing here' | 'different here' | 'only here'
}

export interface Verified {
  /** Records of the source. */
  readonly compared: number
  readonly differences: number
}

const LOCAL_KEYS_AT_ONCE = 1_000
const SURELY_LAST = 100
const NO_STATES = ['']

/** Tells each difference. What changes at the source meanwhile may be told too: a second look shows it. */
export async function verifyDocument(
  tx: ReadTx,
  source: ErpSource,
  { asked, kind, states }: MirroredDocument,
  { isOrdered, hasLists }: Pick<DocumentState, 'isOrdered' | 'hasLists'>,
  tell: (difference: Difference) => void,
): Promise<Verified> {
  const known = new KeySet()
  let differences = 0
  const found = (difference: Difference) => {
    differences += 1
    tell(difference)
  }
  const select = hasLists && asked.lists.length > 0 ? [...asked.members, ...asked.lists] : undefined
  for (const state of states.length > 0 ? states : NO_STATES) {
    const size = new PageSize()
    let [after, offset] = [undefined as readonly string[] | undefined, 0]
    for (;;) {
      const place = isOrdered ? { after } : { offset }
      const began = Date.now()
      const page = await readPage(source, asked, { state, ...place, select, limit: size.rows, isOrdered })
      size.answered(page.rows.length, page.size, Date.now() - began)
      for (const row of page.rows) {
        const record = kind.read(state === '' || 'state' in row ? row : { ...row, state })
        if (!record) continue
        const { texts } = record.key
        known.add(texts)
        if (await kind.isSame(tx, record)) continue
        found({ key: texts, what: (await kind.has(tx, record.key)) ? 'different here' : 'missing here' })
      }
      offset += page.rows.length
      const last = page.rows.at(-1)
      after = last && asked.key.map(({ name }) => String(last[name] ?? ''))
      if (page.rows.length < SURELY_LAST) break
    }
  }
  await tellOnlyHere(tx, kind, known, found)
  return { compared: known.size, differences }
}

async function tellOnlyHere(
  tx: ReadTx,
  kind: MirroredDocument['kind'],
  known: KeySet,
  found: (difference: Difference) => void,
): Promise<void> {
  let after: RecordKey | undefined
  for (;;) {
    const keys = await kind.listKeys(tx, after, LOCAL_KEYS_AT_ONCE)
    for (const { texts } of keys) if (!known.has(texts)) found({ key: texts, what: 'only here' })
    after = keys.at(-1)
    if (keys.length < LOCAL_KEYS_AT_ONCE) return
  }
}
