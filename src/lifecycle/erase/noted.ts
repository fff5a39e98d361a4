// What was erased, by digests of keys: a restored older backup has it again, and it can be found there.
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { erasures } from '../../store/journal/erasure/erase-entries.ts'
import { readErasure } from '../../store/journal/erasure/erased-entry.ts'
import type { ReadTx } from '../../store/store.ts'
import { definitionOf, type RecordsAtWork } from '../records-at-work.ts'
import { literalOf, rowsOf } from '../references.ts'
import { recordOf } from '../removal/record-name.ts'
import { digestOf, ENTITY_OF, keyOf, type PersonalRecord, subjectOf } from './subject.ts'

export interface Noted {
  readonly kind: PersonalRecord['kind']
  readonly digest: string
}

const KINDS = Object.keys(ENTITY_OF) as PersonalRecord['kind'][]

/** The erasures of a company, the oldest first. */
export async function listNoted(tx: ReadTx): Promise<Noted[]> {
  return (await tx.all(erasures, { companyId: tx.companyId })).flatMap(({ entity, after }) => {
    const kind = KINDS.find((one) => ENTITY_OF[one] === entity)
    const { record } = readErasure(after)
    return kind === undefined || record === undefined ? [] : [{ kind, digest: record }]
  })
}

const RECORDS_AT_ONCE = 1_000

/** The records that are noted as erased and are there. */
export async function findNoted(
  work: RecordsAtWork,
  company: CompanyRules,
  noted: readonly Noted[],
): Promise<PersonalRecord[]> {
  const found = new Map<string, PersonalRecord>()
  for (const kind of KINDS) {
    const digests = new Set(noted.filter((one) => one.kind === kind).map(({ digest }) => digest))
    if (digests.size === 0) continue
    for await (const subject of subjectsOf(work, company, kind)) {
      const digest = digestOf(company, subject)
      if (digests.has(digest)) found.set(digest, subject)
    }
  }
  return [...found.values()]
}

async function* subjectsOf(
  work: RecordsAtWork,
  company: CompanyRules,
  kind: PersonalRecord['kind'],
): AsyncGenerator<PersonalRecord, void, void> {
  const definition = definitionOf(work, company, kind)
  const select = definition.key.filter((name) => name !== 'companyId').join(',')
  for (let filter: string | undefined; ; ) {
    const options = { filter, select, orderBy: undefined, offset: 0, limit: RECORDS_AT_ONCE }
    const rows = await rowsOf(work.store, company, definition, options)
    for (const row of rows) yield subjectOf(recordOf(kind, row))
    const last = rows.at(-1)
    if (!last) return
    filter = isBeyond(subjectOf(recordOf(kind, last)))
  }
}

/** The condition for the records that follow in the order of the key, without further periods of a value. */
function isBeyond(last: PersonalRecord): string {
  const [first = '', second = ''] = keyOf(last).map(literalOf)
  if (last.kind !== 'value') return `${last.kind === 'document' ? 'id' : 'customerId'} gt ${first}`
  return `attributeId gt ${first} or attributeId eq ${first} and attributeValue gt ${second}`
}
