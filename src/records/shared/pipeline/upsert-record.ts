// Writes that create a record, or update the members that are given, for imports.
import type { Caller } from '../../../access/caller.ts'
import { AdmissionQueue } from '../../../base/concurrency/admission-queue.ts'
import type { JsonObject, JsonValue } from '../../../base/strict-json.ts'
import { foldName } from '../../../base/text.ts'
import { Problem } from '../../../errors/problem.ts'
import type { Service } from '../service.ts'
import { getRecord, patchRecord } from './record-pipeline.ts'
import type { RecordType, Versioned } from './record-type.ts'

export interface UpsertRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly body: JsonObject
  readonly validateOnly?: boolean
}

/** What an upsert has to know of a kind of record. */
export interface UpsertKind<Requested, Key, Found extends Versioned, Draft extends object> {
  readonly type: RecordType<Requested, Key, Found, Draft>
  /** The properties of the key without the company. */
  readonly keyNames: readonly string[]
  /** The key that texts name, in the order of its properties. */
  requested(texts: readonly string[]): Requested
  create(request: UpsertRequest): Promise<unknown>
}

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
export async function upsertRecord<Requested, Key, Found extends Versioned, Draft extends object>(
  service: Service,
  kind: UpsertKind<Requested, Key, Found, Draft>,
  request: UpsertRequest,
): Promise<'written' | 'unchanged'> {
  const key = kind.keyNames.map((name) => textIn(request.body, name))
  if (key.includes('') || !(await isStored(service, kind, request, kind.requested(key)))) {
    await kind.create(request)
    return 'written'
  }
  const fixed = new Set([...NOT_CHANGED, ...kind.keyNames.map(foldName)])
  const body = Object.entries(request.body)
    .filter(([name, value]) => !fixed.has(foldName(name)) && value !== null)
    .map(([name, value]): JsonValue => ({ op: 'replace', path: `/${name}`, value }))
  const patch = { ...request, key: kind.requested(key), body, ifMatch: undefined }
  const { isChanged } = await patchRecord(service, kind.type, patch)
  return isChanged ? 'written' : 'unchanged'
}

async function isStored<Requested, Key, Found extends Versioned, Draft extends object>(
  service: Service,
  { type }: UpsertKind<Requested, Key, Found, Draft>,
  request: UpsertRequest,
  key: Requested,
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
