// Everything that a client offers besides plain requests.
import { pathTo } from '../http/address.ts'
import type { Transport } from '../http/request.ts'
import type { Surroundings } from '../http/surroundings.ts'
import { fieldAt } from '../types/fields.ts'
import type { TypedObjects } from '../types/objects.ts'
import { type BatchOptions, type BatchRequest, type BatchResponse, sendBatch } from './batch.ts'
import { type BatchOperations, batchOperationsOf } from './batch-operations.ts'
import { type Collection, collectionOf } from './collection.ts'
import { type Documents, documentsOf } from './documents.ts'
import { type ChangeBatch, type FeedOptions, feedOf } from './feed.ts'
import { type AnyRecord, type Records, recordsOf } from './records.ts'
import { type SearchOptions, type SearchResult, searchBy } from './search.ts'

/** The Enterprise Documents by their names. */
export type ObjectCollections<Company> = Company extends { readonly objects: infer Objects }
  ? TypedObjects<Objects>
  : { readonly [name: string]: Collection<AnyRecord> }

export interface Resources<Company = unknown> {
  readonly objects: ObjectCollections<Company>
  /** Keys: `customerId`. */
  readonly customers: Records<AnyRecord>
  /** Keys: `[attributeId, attributeValue, periodFrom]`. */
  readonly attributeValues: Records<AnyRecord>
  /** The values of one attribute, with the query language. */
  readonly valuesOf: (attributeId: string) => Collection<AnyRecord>
  /** Keys: `[attributeId, attributeValue, relatedAttributeId, relationValue]`. */
  readonly attributeRelations: Records<AnyRecord>
  readonly documents: Documents
  /** The records of a document that the setup declares. */
  readonly records: <Body = AnyRecord>(name: string, version?: number) => Records<Body>
  readonly batch: (requests: readonly BatchRequest[], options?: BatchOptions) => Promise<readonly BatchResponse[]>
  readonly batchOperations: BatchOperations
  readonly changes: <Body = AnyRecord>(options: FeedOptions) => AsyncGenerator<ChangeBatch<Body>, void>
  /** Finds records of all documents by what a person would type. */
  readonly search: (text: string, options?: SearchOptions) => Promise<SearchResult>
}

export function resourcesOf<Company>(transport: Transport, surroundings: Surroundings): Resources<Company> {
  return {
    objects: objectsOf(transport) as ObjectCollections<Company>,
    customers: recordsOf(transport, '/v1/customers'),
    attributeValues: recordsOf(transport, '/v1/attribute-values'),
    valuesOf: (attributeId) => collectionOf(transport, `/v1/attribute-values${pathTo(attributeId)}`),
    attributeRelations: recordsOf(transport, '/v1/attribute-relations'),
    documents: documentsOf(transport),
    records: (name, version = 1) => recordsOf(transport, `/v${version}${pathTo(name)}`),
    batch: (requests, options) => sendBatch(transport, requests, options),
    batchOperations: batchOperationsOf(transport, surroundings),
    changes: (options) => feedOf(transport, options),
    search: (text, options) => searchBy(transport, text, options),
  }
}

/** Which documents there are only the service knows: each name is one. */
function objectsOf(transport: Transport): Readonly<Record<string, Collection<AnyRecord>>> {
  return new Proxy(Object.create(null), {
    get: (_none, name) =>
      // What `await` and the console look for in any object is none.
      typeof name === 'symbol' || name === 'then' || name === 'toJSON'
        ? undefined
        : { ...collectionOf(transport, `/v1/objects${pathTo(name)}`), fields: fieldAt('') },
  })
}
