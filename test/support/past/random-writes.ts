// Random writes to the records of `rules.yaml`: values, relations, customers and documents, few of each, so that each
// is created, changed, removed and created again.
import type { Sent } from '../world.ts'

export type Pick = <Item>(items: readonly Item[]) => Item

const TEXTS = ['', 'alpha', 'Beta "two"', 'gamma; δ', 'a/b', 'x'.repeat(300)]
const COUNTRIES = ['NO', 'SE', 'GB']
const POINT = { contactPointType: '1', address: { countryCode: 'NO', place: 'Oslo' } }

/** A writer that knows which documents it has created. */
export class RandomWrites {
  readonly #pick: Pick
  readonly #documents: string[] = []

  constructor(random: () => number) {
    this.#pick = (items) => items[Math.floor(random() * items.length)] as (typeof items)[number]
  }

  /** To be called with the id of a document that was created. */
  note(id: string): void {
    this.#documents.push(id)
  }

  next(): Sent {
    const kinds = [this.#value, this.#value, this.#relation, this.#relation, this.#customer, this.#document]
    return this.#pick(kinds).call(this)
  }

  #value(): Sent {
    const pick = this.#pick
    const [attributeValue, periodFrom] = [pick(['V1', 'V2', 'V/3', 'CC100']), pick([0, 202601, 202607])]
    const url = `/v1/attribute-values/C1/${encodeURIComponent(attributeValue)}/${periodFrom}`
    switch (pick(['create', 'patch', 'patch', 'patch', 'relate', 'close'])) {
      case 'create':
        return {
          method: 'POST',
          url: '/v1/attribute-values',
          body: {
            attributeId: 'C1',
            attributeValue,
            periodFrom,
            periodTo: periodFrom === 0 ? 202512 : periodFrom === 202601 ? 202606 : 209912,
            description: pick(TEXTS),
            relatedValues: pick([[], [this.#item()]]),
            contactPoints: pick([[], [POINT]]),
          },
        }
      case 'relate':
        return patch(url, [{ op: 'replace', path: '/relatedValues', value: pick([[], [this.#item()]]) }])
      case 'close':
        return { method: 'DELETE', url }
      default:
        return patch(url, [
          pick([
            { op: 'replace', path: '/description', value: pick(TEXTS) },
            { op: 'replace', path: '/customValue', value: pick([0, 1.5, -2e-7, 1e15]) },
            { op: 'replace', path: '/status', value: pick(['N', 'P', 'C']) },
            { op: 'replace', path: '/contactPoints', value: pick([[], [POINT]]) },
          ]),
        ])
    }
  }

  #item(): object {
    const pick = this.#pick
    return {
      relationId: 'REL2',
      relatedValue: pick(['P1', 'P2']),
      percentage: pick([0, 12.5, 100]),
      unitValue: pick([0, 3]),
    }
  }

  #relation(): Sent {
    const pick = this.#pick
    const key = { attributeId: 'C1', attributeValue: pick(['CC100', 'V1', 'V/3']), relatedAttributeId: 'C3' }
    const relationValue = pick(['P1', 'P2'])
    const parts = [...Object.values(key), relationValue].map(encodeURIComponent)
    const url = `/v1/attribute-relations/${parts.join('/')}`
    switch (pick(['create', 'percentage', 'dates', 'move', 'delete'])) {
      case 'create':
        return {
          method: 'POST',
          url: '/v1/attribute-relations',
          body: { ...key, relationValue, percentage: pick([1, 50.25]) },
        }
      case 'percentage':
        return patch(url, [{ op: 'replace', path: '/percentage', value: pick([2, 75, 33.3]) }])
      case 'dates':
        return patch(url, [{ op: 'replace', path: '/dateTo', value: pick(['2027-01-31', '2099-12-31']) }])
      case 'move':
        return patch(url, [{ op: 'replace', path: '/relationValue', value: pick(['P1', 'P2']) }])
      default:
        return { method: 'DELETE', url }
    }
  }

  #customer(): Sent {
    const pick = this.#pick
    const customerId = pick(['2001', '2002', '1001'])
    const url = `/v1/customers/${customerId}`
    switch (pick(['create', 'patch', 'patch', 'patch', 'close'])) {
      case 'create':
        return {
          method: 'POST',
          url: '/v1/customers',
          body: {
            customerId,
            customerName: pick(['Nord AS', 'Süd']),
            customerGroupId: 'DOM',
            countryCode: pick(COUNTRIES),
            contactPoints: [POINT],
            customFieldGroups: { LOYALTY: { tier: 'G', points: pick([1, 2]) } },
            invoice: { creditLimit: pick([0, 1234.5678]) },
          },
        }
      case 'close':
        return { method: 'DELETE', url }
      default:
        return patch(url, [
          pick([
            { op: 'replace', path: '/customerName', value: pick(['Nord AS', 'Süd', 'x "y"']) },
            { op: 'replace', path: '/countryCode', value: pick(COUNTRIES) },
            { op: 'replace', path: '/invoice/creditLimit', value: pick([0, 0.1, 99_999.9999]) },
            { op: 'replace', path: '/customFieldGroups/LOYALTY/points', value: pick([0, 7]) },
            { op: 'replace', path: '/payment/status', value: pick(['Active', 'Parked', 'Closed']) },
          ]),
        ])
    }
  }

  #document(): Sent {
    const pick = this.#pick
    const id = this.#documents.length > 0 ? pick(this.#documents) : undefined
    const file = { fileName: pick(['a.txt', 'b.txt']), fileContent: Buffer.from(pick(TEXTS) || '-').toString('base64') }
    if (id === undefined || (this.#documents.length < 5 && pick([true, false]))) {
      const body = { docType: pick(['NOTE', 'PERSONNEL']), title: pick(['Title', 'Other']), ...file }
      return { method: 'POST', url: '/v1/documents', body }
    }
    switch (pick(['patch', 'patch', 'revise', 'delete'])) {
      case 'revise':
        return {
          method: 'POST',
          url: `/v1/document-revisions/${id}`,
          body: { comment: pick(TEXTS).slice(0, 20), ...file },
        }
      case 'delete':
        return pick([true, false, false]) ? { method: 'DELETE', url: `/v1/documents/${id}` } : this.next()
      default:
        return patch(`/v1/documents/${id}`, [
          { op: 'replace', path: pick(['/title', '/description']), value: pick(['One', 'Two', 'Three']) },
        ])
    }
  }
}

function patch(url: string, body: readonly object[]): Sent {
  return { method: 'PATCH', url, body }
}
