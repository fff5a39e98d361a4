// The `Idempotency-Key` of a batch. Its operations commit one after the other, so each has a key of its own that
// follows from it: whatever a first attempt has done is answered again, and the rest is done. Here the key is only
// taken, so that no other batch can have it.
import type { ApiRequest } from '../http/route/route.ts'
import { findIdempotencyRecord, putIdempotencyRecord } from '../records/shared/idempotency-store.ts'
import { keyOfAnother } from '../records/shared/idempotent.ts'
import { actorOf, type Service } from '../records/shared/service.ts'

export interface TakenKey {
  readonly key: string
  readonly fingerprint: string
  /** Whether the batch was sent before. */
  readonly isRepeated: boolean
}

/** Throws 422 if another batch has the key. Undefined if there is none. */
export async function takeKey(service: Service, request: ApiRequest): Promise<TakenKey | undefined> {
  const { caller, idempotencyKey: key } = request
  const companies = [request.companyId, ...caller.companyIds].flatMap((id) => service.companies.known(id) ?? [])
  const [company] = companies
  if (key === undefined || request.validateOnly || !company) return undefined
  const fingerprint = request.fingerprint()
  const find = () => findIdempotencyRecord(service.store.reading(company.id), caller.clientId, key, service.clock())
  const put = () =>
    service.store.write(company.id, actorOf(request), (tx) =>
      putIdempotencyRecord(tx, key, { fingerprint, answer: '' }),
    )
  let found = await find()
  // Two at once: the second finds what the first has put.
  if (!found && (await put()) === 'taken') found = await find()
  if (found && found.fingerprint !== fingerprint) throw keyOfAnother()
  return { key, fingerprint, isRepeated: found !== undefined }
}
