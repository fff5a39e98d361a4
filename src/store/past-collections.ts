// Collections as they were. The store knows how to answer them from rows that stand in for those of its tables; what
// these were, the change log knows (`changes/past`).
import type { CollectionAnswer, CollectionRequest, CountRequest } from './collection.ts'

/** The option `asOf` of collections: the time or the number of a change. */
export interface PastCollections {
  /**
   * The answer as it was then. Throws 400 for a text that is no moment, for a document that the change log does not
   * cover, and when too much has changed since; 410 when the states of then are no longer kept.
   */
  answer(request: CollectionRequest, asOf: string): Promise<CollectionAnswer>
  count(request: CountRequest, asOf: string): Promise<{ readonly content: number; readonly changeNumber: number }>
}
