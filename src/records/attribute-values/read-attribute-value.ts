import type { Service } from '../shared/service.ts'
import { type RequestedKey, requireKey, valueNotFound } from './attribute-value.ts'
import { type FoundValue, findValue } from './attribute-value-store.ts'

/** One value, whole, by its key. Throws 404 naming the parts of the key. */
export async function readAttributeValue(
  service: Service,
  companyId: string,
  requested: RequestedKey,
): Promise<FoundValue> {
  const company = service.companies.require(companyId)
  const { key } = requireKey(company, requested)
  const found = await findValue(service.store.reading(company.id), key)
  if (!found) throw valueNotFound(company, key)
  return found
}
