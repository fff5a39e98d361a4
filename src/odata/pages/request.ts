import type { ReadRequest } from '../../access/caller.ts'
import type { EntitySet } from '../entity-set.ts'

export interface EntitySetRequest extends ReadRequest {
  readonly set: EntitySet
  readonly accept: string | undefined
  readonly acceptLanguage: string | undefined
  /** The `Prefer` header. */
  readonly prefer: string | undefined
  /** The absolute URL of `$metadata`. */
  readonly metadataUrl: string
  /** The absolute URL of the request, without its query. */
  readonly pageUrl: string
}
