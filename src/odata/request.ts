import type { ReadRequest } from '../access/caller.ts'
import type { KeyFilter } from '../sql/rows/compiled-query.ts'
import type { EntitySet } from './metadata/entity-set.ts'

export interface EntitySetRequest extends ReadRequest {
  readonly set: EntitySet
  /** What a key in the path says; absent: the whole entity set is asked. */
  readonly key?: KeyFilter | undefined
  readonly accept: string | undefined
  readonly acceptLanguage: string | undefined
  /** The `Prefer` header. */
  readonly prefer: string | undefined
  /** The absolute URL of `$metadata`. */
  readonly metadataUrl: string
  /** The absolute URL of the request, without its query. */
  readonly pageUrl: string
}

/** The path of a company's service document, as routes declare it. */
export const COMPANY = '/odata/v4/:companyId'
/** Up to the company. */
const ROOT = /^.*?\/odata\/v4\/[^/]+/

/** The absolute URL of the service document, without a slash at its end. */
export function rootUrlOf({ origin, path }: { readonly path: string; origin(): string }): string {
  return `${origin()}${ROOT.exec(path)?.[0] ?? ''}`
}
