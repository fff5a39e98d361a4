// Collections as they were: rows that have not changed since are read where they are, and the earlier states of all
// others stand in for them. Rights, filters, selections, orders and pages are those of every query.

import { LRUCache } from 'lru-cache'
import type { Steps } from '../../base/concurrency/steps.ts'
import { invalidOption, unavailable } from '../../errors/catalogue.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import type { EnterpriseDocument } from '../../objects/enterprise-document.ts'
import type { BoundExpression } from '../../query/bound.ts'
import { BoundValue } from '../../query/bound-value.ts'
import { linesIn } from '../../query/mentions.ts'
import type { Plan } from '../../query/plan.ts'
import type { JournaledKind } from '../../records/kinds/kind.ts'
import { kindsOf } from '../../records/kinds/kinds.ts'
import type { Companies } from '../../setup/rules/companies.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { PastChanges } from '../../sql/rows/past-rows.ts'
import { CHANGE_COLUMN } from '../../sql/tables.ts'
import {
  answerCollection,
  type CollectionRequest,
  type CountRequest,
  countCollection,
  discardRows,
  type PastCollections,
} from '../../store/collection.ts'
import type { Store } from '../../store/store.ts'
import type { LongWork } from '../long-work.ts'
import { ChangedRecords, type PastBounds } from './changed-records.ts'
import { numberAt, orGone } from './moment.ts'

export interface PastParts {
  readonly store: Store
  readonly companies: Companies
  /** The Enterprise Documents that are served now. */
  readonly documents: () => Iterable<EnterpriseDocument>
  readonly work: LongWork
}

const BOUNDS: PastBounds = { changes: 100_000, characters: 64 * 1024 * 1024 }

/** So often is an answer made anew because records were changed for the first time while it was made. */
const TRIES = 10

export class PastAnswers implements PastCollections {
  readonly #parts: PastParts
  readonly #bounds: PastBounds
  readonly #kept = new KeptRecords()

  constructor(parts: PastParts, bounds = BOUNDS) {
    this.#parts = parts
    this.#bounds = bounds
  }

  covers(definition: DocumentDefinition): boolean {
    return kindsOf(this.#parts.documents()).has(definition.name)
  }

  answer(request: CollectionRequest, asOf: string) {
    return this.#asOf(
      request,
      asOf,
      (requested) => answerCollection(this.#parts.store, requested),
      ({ body }) => discardRows(body),
    )
  }

  count(request: CountRequest, asOf: string) {
    return this.#asOf(request, asOf, (requested) => countCollection(this.#parts.store, requested))
  }

  #asOf<Request extends CountRequest, Found extends { readonly changeNumber: number }>(
    request: Request,
    asOf: string,
    answer: (requested: Request & { readonly changed?: PastChanges | undefined }) => Promise<Found>,
    discard: (found: Found) => Promise<unknown> = async () => {},
  ): Promise<Found> {
    const { store, companies, documents, work } = this.#parts
    return work.run(request.caller, async (steps) => {
      const kind = kindOf(request.plan.definition, documents())
      const number = await numberAt(store.reading(request.companyId), asOf)
      // What was added together since has no entry for each record.
      if (kind.batch) {
        return { ...(await answer({ ...request, plan: upTo(request.plan, number) })), changeNumber: number }
      }
      const company = companies.require(request.companyId)
      const changed = this.#kept.take(company, kind, number) ?? new ChangedRecords(company, kind, number, this.#bounds)
      const lines = this.#linesOf(request.plan, company, number)
      const all = [changed, ...lines.map((one) => one.records)]
      await this.#readOn(all, steps)
      for (let tries = 0; tries < TRIES; tries++) {
        const found = await answer({ ...request, changed: changesIn(changed, lines, steps) })
        let isOfThen = false
        try {
          // What was changed for the first time after it was looked for was read as it is now.
          isOfThen = all.every(({ upTo }) => found.changeNumber <= upTo) || !(await this.#readOn(all, steps))
        } finally {
          if (!isOfThen) await discard(found)
        }
        if (isOfThen) {
          this.#kept.keep(changed)
          return { ...found, changeNumber: number }
        }
      }
      throw unavailable('The records change faster than their states of then can be gathered. Try again.', 1)
    })
  }

  /** Whether any of the changes since is of a record whose state of then was not known. */
  async #readOn(all: readonly ChangedRecords[], steps: Steps): Promise<boolean> {
    let isNew = false
    for (const one of all) isNew = (await orGone(one.readOn(this.#parts.store, steps))) || isNew
    return isNew
  }

  /** The records of other documents that the plan has as lines, each document once. */
  #linesOf(plan: Plan, company: CompanyRules, number: number): ChangedLines[] {
    const definitions = new Map(linesIn(plan).map(({ from }) => [from.document.name, from.document]))
    return [...definitions.values()].map((definition) => {
      const kind = kindOf(definition, this.#parts.documents())
      return { definition, records: new ChangedRecords(company, kind, number, this.#bounds) }
    })
  }
}

interface ChangedLines {
  readonly definition: DocumentDefinition
  readonly records: ChangedRecords
}

/** Undefined when nothing has changed. */
function changesIn(changed: ChangedRecords, lines: readonly ChangedLines[], steps: Steps): PastChanges | undefined {
  const own = changed.rowsIn(steps)
  const ofLines = lines.flatMap(({ definition, records }) => {
    const rows = records.rowsIn(steps)
    return rows ? [{ definition, changed: rows }] : []
  })
  if (ofLines.length === 0) return own
  return { ...(own ?? { keys: '', states: [], steps }), lines: ofLines }
}

function kindOf({ name }: DocumentDefinition, documents: Iterable<EnterpriseDocument>): JournaledKind {
  const kind = kindsOf(documents).get(name)
  if (kind) return kind
  throw invalidOption(`The changes of ${name} are not recorded: asOf cannot be used here.`)
}

/** The plan without the rows that imports have added together after a change. */
function upTo(plan: Plan, number: number): Plan {
  const place = { item: undefined, via: [] }
  const property = { kind: 'value', type: 'integer', source: { column: CHANGE_COLUMN }, filterable: true } as const
  const term: BoundExpression = {
    kind: 'compare',
    op: 'le',
    left: { kind: 'property', type: 'integer', property, place },
    right: new BoundValue('integer', number),
  }
  return { ...plan, filter: plan.filter ? { kind: 'and', terms: [plan.filter, term] } : term }
}

const KEPT_MS = 30_000
/** In characters. */
const MOST = 32 * 1024 * 1024

/**
 * What was gathered for an answer of the past is kept for a moment: who reads a collection in pages asks for it again
 * with each page.
 */
class KeptRecords {
  readonly #kept = new LRUCache<string, ChangedRecords>({
    maxSize: MOST,
    ttl: KEPT_MS,
    sizeCalculation: ({ size }) => size + 1,
  })

  /** Takes out what is kept, because only one answer at a time can go on with it. */
  take(company: CompanyRules, kind: JournaledKind, since: number): ChangedRecords | undefined {
    const key = keyOf(company, kind, since)
    const found = this.#kept.get(key)
    this.#kept.delete(key)
    // After another setup its rows may be others.
    return found?.company === company && found.kind === kind ? found : undefined
  }

  keep(changed: ChangedRecords): void {
    this.#kept.set(keyOf(changed.company, changed.kind, changed.since), changed)
  }
}

function keyOf({ id }: CompanyRules, { name }: JournaledKind, since: number): string {
  return JSON.stringify([id, name, since])
}
