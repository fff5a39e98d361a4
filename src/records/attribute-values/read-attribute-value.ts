import type { Caller } from '../../access/caller.ts'
import type { Service } from '../shared/service.ts'
import { keyFilterOf, type RequestedKey, requireKey, valueNotFound } from './attribute-value.ts'
import { valueAccess } from './attribute-value-document.ts'
import { type FoundValue, findValue } from './attribute-value-store.ts'

/** Returns one complete value by its key. Throws 404 with the parts of the key. */
export async function readAttributeValue(
  service: Service,
  caller: Caller,
  companyId: string,
  requested: RequestedKey,
): Promise<FoundValue> {
  const company = service.companies.require(companyId)
  const { key } = requireKey(company, requested)
  const access = valueAccess(caller, company, 'read')
  const tx = service.store.reading(company.id)
  const found = await access.find(tx, keyFilterOf(key), () => findValue(tx, key))
  if (!found) throw valueNotFound(company, key)
  return access.redactBody(found)
}
