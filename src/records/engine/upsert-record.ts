// Writes that create a record, or update the members that are given, for imports.
import { AdmissionQueue } from '../../base/concurrency/admission-queue.ts'
import type { JsonObject, JsonValue } from '../../base/strict-json.ts'
import { foldName } from '../../base/text.ts'
import { Problem } from '../../errors/problem.ts'
import { getRecord, patchRecord } from '../shared/record-pipeline.ts'
import type { Service } from '../shared/service.ts'
import type { CreateRequest } from '../shared/write-record.ts'
import { createRecord } from './create-record.ts'
import { KindRecords } from './kind-records.ts'
import type { RecordKind } from './record-kind.ts'

type UpsertRequest = CreateRequest & { readonly body: JsonObject }

/**
 * An import begins many rows at once. Their reads wait here as long as it takes: a store refuses those that wait too
 * long for a session.
 */
const lookups = new AdmissionQueue({
  inFlight: 8,
  waiting: Number.POSITIVE_INFINITY,
  refusal: () => new Error('no lookup is refused'),
})

/** Members, in lower case, that the service determines; an update passes over them, and over those of the key. */
const NOT_CHANGED = ['companyid', 'lastupdated', 'notificationmessages']

/** Creates a record, or updates the members that the request gives if it exists. */
export async function upsertRecord(
  service: Service,
  kind: RecordKind,
  request: UpsertRequest,
): Promise<'written' | 'unchanged'> {
  const type = new KindRecords(kind, request.caller, service.own)
  const key = kind.keyNames.map((name) => textIn(request.body, name))
  if (key.includes('') || !(await isStored(service, type, request, key))) {
    await createRecord(service, kind, request)
    return 'written'
  }
  const fixed = new Set([...NOT_CHANGED, ...kind.keyNames.map(foldName)])
  const body = Object.entries(request.body)
    .filter(([name, value]) => !fixed.has(foldName(name)) && value !== null)
    .map(([name, value]): JsonValue => ({ op: 'replace', path: `/${name}`, value }))
  const { isChanged } = await patchRecord(service, type, { ...request, key, body, ifMatch: undefined })
  return isChanged ? 'written' : 'unchanged'
}

async function isStored(
  service: Service,
  type: KindRecords,
  request: UpsertRequest,
  key: readonly string[],
): Promise<boolean> {
  const release = await lookups.acquire({ group: request.companyId, member: '' })
  try {
    await getRecord(service, type, { ...request, key }, 'update')
    return true
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return false
    throw error
  } finally {
    release()
  }
}

function textIn(body: JsonObject, name: string): string {
  const folded = foldName(name)
  const [, value] = Object.entries(body).find(([given]) => foldName(given) === folded) ?? []
  return String(value ?? '')
}
