// What was erased, by digests of keys: a restored older backup has it again, and it can be found there.
import type { RemovableKind } from '../records/kinds/kind.ts'
import { removableKinds } from '../records/kinds/kinds.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { erasures } from '../store/audit/erase-entries.ts'
import { readErasure } from '../store/audit/erased-entry.ts'
import type { ReadTx } from '../store/store.ts'
import { isAfter, type RecordName, recordOf, subjectOf } from './record-name.ts'
import { definitionOf, type RecordsAtWork } from './records-at-work.ts'
import { rowsOf } from './references.ts'
import { digestOf } from './subject.ts'

export interface Noted {
  /** `customer`, `value`, `document`, or the name of a document of the setup. */
  readonly kind: string
  readonly digest: string
}

/** The erasures of a company, the oldest first. */
export async function listNoted(tx: ReadTx): Promise<Noted[]> {
  return (await tx.all(erasures, { companyId: tx.companyId })).flatMap(({ entity, after }) => {
    const kind = removableKinds([]).find(({ journalEntity }) => journalEntity === entity)?.word ?? entity
    const { record } = readErasure(after)
    return record === undefined ? [] : [{ kind, digest: record }]
  })
}

const RECORDS_AT_ONCE = 1_000

/** The records that are noted as erased and are there. */
export async function findNoted(
  work: RecordsAtWork,
  company: CompanyRules,
  noted: readonly Noted[],
): Promise<RecordName[]> {
  const found = new Map<string, RecordName>()
  for (const kind of removableKinds(work.declaredRecords.values())) {
    const digests = new Set(noted.filter((one) => one.kind === kind.word).map(({ digest }) => digest))
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
  kind: RemovableKind,
): AsyncGenerator<RecordName, void, void> {
  const definition = definitionOf(work, company, kind)
  const select = kind.keyNames.join(',')
  for (let filter: string | undefined; ; ) {
    const options = { filter, select, orderBy: undefined, offset: 0, limit: RECORDS_AT_ONCE }
    const records = (await rowsOf(work.store, company, definition, options)).map((row) => recordOf(kind, row))
    for (const record of records) yield subjectOf(record)
    const last = records.at(-1)
    if (!last) return
    filter = isAfter(last)
  }
}
