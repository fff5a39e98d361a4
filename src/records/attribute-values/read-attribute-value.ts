import type { Caller } from '../../access/caller.ts'
import type { Service } from '../shared/service.ts'
import { type RequestedKey, requireKey, rowWith, valueNotFound } from './attribute-value.ts'
import { valueSight } from './attribute-value-document.ts'
import { type FoundValue, findValue } from './attribute-value-store.ts'

/** One value, whole, by its key. Throws 404 naming the parts of the key. */
export async function readAttributeValue(
  service: Service,
  caller: Caller,
  companyId: string,
  requested: RequestedKey,
): Promise<FoundValue> {
  const company = service.companies.require(companyId)
  const { key } = requireKey(company, requested)
  const sight = valueSight(caller, company, 'read')
  const tx = service.store.reading(company.id)
  const found = await sight.find(tx, rowWith(key), () => findValue(tx, key))
  if (!found) throw valueNotFound(company, key)
  return sight.shownOf(found)
}
