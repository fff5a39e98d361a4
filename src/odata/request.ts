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
