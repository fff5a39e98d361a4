// What was, of collections and of single records.

import type { DocumentDefinition } from '../../model/document.ts'
import type { HistoryPage, PastRecords, RequestedRecord } from '../../records/shared/past-records.ts'
import type { CollectionRequest, CountRequest, PastCollections } from '../../store/collection.ts'
import { PastAnswers, type PastParts } from './past-answers.ts'
import { PastOfRecords } from './past-of-records.ts'

export class Past implements PastCollections, PastRecords {
  readonly #answers: PastAnswers
  readonly #records: PastOfRecords

  constructor(parts: PastParts) {
    this.#answers = new PastAnswers(parts)
    this.#records = new PastOfRecords(parts.store, parts.documents)
  }

  covers(definition: DocumentDefinition) {
    return this.#answers.covers(definition)
  }

  answer(request: CollectionRequest, asOf: string) {
    return this.#answers.answer(request, asOf)
  }

  count(request: CountRequest, asOf: string) {
    return this.#answers.count(request, asOf)
  }

  recordAt(requested: RequestedRecord, asOf: string) {
    return this.#records.recordAt(requested, asOf)
  }

  historyOf(requested: RequestedRecord, page: HistoryPage) {
    return this.#records.historyOf(requested, page)
  }
}
