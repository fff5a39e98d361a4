// Takes an import back: the records that it has created are removed for good, but for those that somebody has changed
// since, that something refers to, or that a hold keeps. Records that it has patched get their values back.
import type { Caller } from '../access/caller.ts'
import { malformed, notAuthorised, unavailable } from '../errors/catalogue.ts'
import { findKeeper, removeAll } from '../lifecycle/purge.ts'
import type { RecordName } from '../lifecycle/record-name.ts'
import type { RecordsAtWork } from '../lifecycle/records-at-work.ts'
import { findReferredRecords } from '../lifecycle/referred-records.ts'
import { keyFrom } from '../records/engine/record.ts'
import { findRecord } from '../records/engine/record-store.ts'
import { ENGINE_KINDS, ownKind } from '../records/kinds/engine-records.ts'
import { actorOf } from '../records/shared/service.ts'
import { type WriteRequest, writeRecord } from '../records/shared/write-record.ts'
import { ownRulesOf } from '../setup/rules/own-record.ts'
import type { RecordRules } from '../setup/rules/record-rules.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { lastChangeNumber } from '../store/change-number.ts'
import type { Tx } from '../store/store.ts'
import type { JobService } from './job-service.ts'
import { linesTakenBack, withoutLinesOf } from './lines-taken-back.ts'
import { permissionFor, requireOperation } from './operation-access.ts'
import { restoreRecords, type TakeBackRequest, type TakenBack } from './restore-records.ts'
import { readWritten } from './written-records.ts'

/** In one write, for which others wait. */
const RECORDS_AT_ONCE = 50
/** References are looked for before the write, and again when somebody has written in between. */
const TRIES = 5

/** Takes some of the records back. */
export async function takeBack(service: JobService, request: TakeBackRequest): Promise<TakenBack> {
  const company = service.companies.require(request.companyId)
  const reading = service.store.reading(company.id)
  const { document, options } = await requireOperation(reading, request.caller, request.id)
  if (options.patch) return restoreRecords(service, request, RECORDS_AT_ONCE)
  requireTaking(request.caller, company, document)
  const work = workOf(service, request)
  const own = work.ownRecords.get(document)
  const kind = own ? ownKind(own) : ENGINE_KINDS.find(({ name }) => name === document)
  if (!kind) throw malformed('Only imports of customers and of documents of the setup are taken back.')
  const { changes, next } = await readWritten(service, request, { from: request.from, limit: RECORDS_AT_ONCE })
  const targets = changes.flatMap(({ operation, key, etag }) => {
    const found = operation === 'create' ? keyFrom(kind, key.map(String)) : undefined
    return found ? [{ name: { kind, key: found }, etag }] : []
  })
  const names = targets.map(({ name }) => name)
  for (let tries = 0; tries < TRIES; tries++) {
    const seen = await lastChangeNumber(reading)
    const referred = await findReferredRecords(work, company, names)
    const taken = await writeRecord(service, company.id, { ...request, isRemoval: true }, async (tx) => {
      // What was written meanwhile may refer to them.
      if (tx.entryNo !== seen + 1) return undefined
      const { unchanged, changed } = await split(tx, company, targets)
      const others = withoutLinesOf(work, own)
      const removed: RecordName[] = []
      const lines: RecordName[] = []
      for (const target of unchanged) {
        if (referred.get(target) ?? (await findKeeper(tx, others, company, target))) continue
        const ofTarget = await linesTakenBack(tx, work, company, own?.lines ?? [], target)
        if (!ofTarget) continue
        removed.push(target)
        lines.push(...ofTarget)
      }
      await removeAll(tx, company, [...removed, ...lines])
      const kept = unchanged.length - removed.length + changed
      return { removed: removed.length, restored: 0, kept, from: next }
    })
    if (taken) return taken
  }
  throw unavailable('Others write so much that nothing could be taken back: try again.')
}

/** It sees all such records, as whoever imports so many in one write. */
function requireTaking(caller: Caller, { id }: CompanyRules, document: string): void {
  const permission = permissionFor(document, 'delete')
  if (!caller.may(id, permission)) throw notAuthorised(`no role of the caller in the company has ${permission}`)
  if (caller.rulesFor(id, permission) !== undefined) throw notAuthorised(`the roles of the caller hide ${document}`)
}

function workOf(service: JobService, request: WriteRequest): RecordsAtWork {
  const { store, files, companies } = service
  const documents = [...service.documents()]
  const rules = documents.flatMap(({ common }): [string, RecordRules][] => {
    const own = ownRulesOf(common)
    return own ? [[common.name, own]] : []
  })
  const { setupVersion } = companies
  return { store, files, documents, ownRecords: new Map(rules), setupVersion, actor: actorOf(request) }
}

interface Created {
  readonly name: RecordName
  /** The number in the tag that it got. */
  readonly etag: number | undefined
}

/** Those that are as they were created, and how many are not; others are gone already. */
async function split(tx: Tx, company: CompanyRules, targets: readonly Created[]) {
  const unchanged: RecordName[] = []
  let changed = 0
  for (const { name, etag } of targets) {
    const kind = name.kind.kindIn?.(company)
    const found = kind && (await findRecord(tx, kind, name.key))
    if (!found) continue
    if (found.change_no === etag) unchanged.push(name)
    else changed += 1
  }
  return { unchanged, changed }
}
