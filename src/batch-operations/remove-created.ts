// Removes the records that an operation has created for good, with their lines, but for those that somebody else has
// changed since, that something else refers to, or that a hold keeps.
import { unavailable } from '../errors/catalogue.ts'
import { findKeeper, removeAll } from '../lifecycle/purge.ts'
import type { RecordName } from '../lifecycle/record-name.ts'
import type { RecordsAtWork } from '../lifecycle/records-at-work.ts'
import { findReferredRecords } from '../lifecycle/referrers-store.ts'
import { keyFrom } from '../records/engine/record.ts'
import { findLines } from '../records/engine/record-store.ts'
import { removableKindOf } from '../records/kinds/engine-records.ts'
import type { RemovableKind } from '../records/kinds/kind.ts'
import { actorOf } from '../records/shared/service.ts'
import { writeRecord } from '../records/shared/write-record.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { lastChangeNumber } from '../store/change-number.ts'
import type { ReadTx } from '../store/store.ts'
import type { BatchOperationService } from './batch-operation-service.ts'
import { firstWrites } from './first-writes.ts'
import type { TakeBackRequest } from './restore-records.ts'
import type { WrittenPage } from './written-records.ts'

/** References are looked for before the write, and again when somebody has written in between. */
const TRIES = 5

interface Created {
  readonly record: RecordName
  readonly lines: readonly RecordName[]
}

/** `toAnswer` makes the answer, which is stored with the removal. */
export async function removeCreated<Answer>(
  service: BatchOperationService,
  request: TakeBackRequest,
  page: WrittenPage,
  kind: RemovableKind,
  toAnswer: (counts: { readonly removed: number; readonly kept: number }) => Answer,
): Promise<Answer> {
  const company = service.companies.require(request.companyId)
  const reading = service.store.reading(company.id)
  const work = workOf(service, request)
  for (let tries = 0; tries < TRIES; tries++) {
    const seen = await lastChangeNumber(reading)
    const { created, changed } = await createdOf(reading, company, page, kind)
    const referred = await findReferredRecords(
      work,
      company,
      created.flatMap(({ record, lines }) => [record, ...lines]),
    )
    const answer = await writeRecord(service, company.id, { ...request, isRemoval: true }, async (tx) => {
      // What was written meanwhile may refer to them.
      if (created.length > 0 && tx.entryNo !== seen + 1) return undefined
      const removed: Created[] = []
      for (const one of created) if (!(await isKept(tx, work, company, one, referred))) removed.push(one)
      await removeAll(
        tx,
        company,
        removed.flatMap(({ record, lines }) => [...lines, record]),
      )
      return toAnswer({ removed: removed.length, kept: created.length - removed.length + changed })
    })
    if (answer) return answer
  }
  throw unavailable('Others write so much that nothing could be taken back: try again.')
}

/** Those that nobody else has touched, and how many somebody has; others are gone already. */
async function createdOf(tx: ReadTx, company: CompanyRules, page: WrittenPage, kind: RemovableKind) {
  const created: Created[] = []
  let changed = 0
  for (const { key: parts, isCreated, isUntouched } of await firstWrites(tx, company, page)) {
    const key = keyFrom(kind, parts.map(String))
    if (!isCreated || !key || (await kind.find(tx, company, parts)).text === '') continue
    if (!isUntouched) {
      changed += 1
      continue
    }
    const lines: RecordName[] = []
    for (const { rules } of page.lines.filter(({ isCascaded }) => isCascaded)) {
      const keys = await findLines(tx, rules, key, undefined)
      lines.push(...keys.map((one) => ({ kind: removableKindOf(rules), key: one })))
    }
    created.push({ record: { kind, key }, lines })
  }
  return { created, changed }
}

async function isKept(
  tx: ReadTx,
  work: RecordsAtWork,
  company: CompanyRules,
  { record, lines }: Created,
  referred: ReadonlyMap<RecordName, string>,
): Promise<boolean> {
  // Its lines refer to the record, and go with it.
  const names = new Set(lines.map(({ kind }) => kind.name))
  const declaredRecords = new Map([...work.declaredRecords].filter(([name]) => !names.has(name)))
  for (const one of [record, ...lines]) {
    const by = referred.get(one) ?? (await findKeeper(tx, { ...work, declaredRecords }, company, one))
    if (by !== undefined) return true
  }
  return false
}

function workOf(
  { store, files, own, documents, companies }: BatchOperationService,
  request: TakeBackRequest,
): RecordsAtWork {
  const { setupVersion } = companies
  const actor = actorOf(request)
  return { store, files, documents: [...documents()], declaredRecords: own.records, setupVersion, actor }
}
