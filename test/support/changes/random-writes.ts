// Random writes to the records of a company, all of them legal, through HTTP: records of every kind are created,
// changed in the members that rules look at, closed and deleted.
import { DOCUMENTS, REVISIONS } from '../documents.ts'
import type { World } from '../world.ts'

const COMPANY = 'companyId=EN'
const NAMES = ['anchor', 'bollard', 'mast', 'quay', 'winch']
const CLIENT = 'integration'

interface Write {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly body?: unknown
}

export class RandomWrites {
  readonly #world: World
  readonly #random: () => number
  #count = 0
  readonly #values: string[] = []
  readonly #customers: string[] = []
  readonly #documents: string[] = []
  /** Paths of relations that were added by themselves. */
  readonly #relations: string[] = []

  constructor(world: World, random: () => number) {
    this.#world = world
    this.#random = random
  }

  /** Does one write; returns it as a text. Throws when it is refused. */
  async next(): Promise<string> {
    const write = this.#choose()
    const { status, text, json } = await this.#world.send({ as: CLIENT, ...write })
    const told = `${write.method} ${write.url} ${JSON.stringify(write.body ?? '')}: ${status}`
    if (status >= 300) throw new Error(`${told} ${text}`)
    if (write.url.startsWith(`${DOCUMENTS}?`)) this.#documents.push(json.id)
    return told
  }

  #choose(): Write {
    const [value, customer, document] = [this.#values, this.#customers, this.#documents].map((all) => this.#oneOf(all))
    const choices = [() => this.#newValue(), () => this.#newCustomer(), () => this.#newDocument()]
    if (value !== undefined) {
      choices.push(
        () => this.#changedValue(value),
        () => this.#changedValue(value),
        () => this.#newRelation(),
      )
    }
    if (customer !== undefined)
      choices.push(
        () => this.#changedCustomer(customer),
        () => this.#closed(customer),
      )
    if (document !== undefined) {
      choices.push(
        () => this.#changedDocument(document),
        () => this.#newRevision(document),
        () => this.#removed(document),
      )
    }
    if (this.#relations.length > 0)
      choices.push(
        () => this.#changedRelation(),
        () => this.#removedRelation(),
      )
    return (this.#oneOf(choices) as () => Write)()
  }

  #newValue(): Write {
    const attributeValue = `V${++this.#count}`
    this.#values.push(attributeValue)
    return this.#post('/v1/attribute-values', {
      ...{ attributeId: 'C1', attributeValue, description: this.#name() },
      relatedValues: [{ relationId: 'REL1', relatedValue: this.#department() }],
    })
  }

  #changedValue(value: string): Write {
    const changes = [
      { op: 'replace', path: '/description', value: this.#name() },
      { op: 'replace', path: '/relatedValues/0/relatedValue', value: this.#department() },
      { op: 'replace', path: '/status', value: this.#oneOf(['N', 'P']) },
    ]
    return this.#patch(`/v1/attribute-values/C1/${value}/0`, this.#oneOf(changes))
  }

  #newCustomer(): Write {
    const customerId = `K${++this.#count}`
    this.#customers.push(customerId)
    return this.#post('/v1/customers', {
      ...{ customerId, customerName: this.#name(), customerGroupId: '10', countryCode: this.#oneOf(['NO', 'SE']) },
      contactPoints: [{ contactPointType: '1', address: { countryCode: 'NO', place: 'Oslo' } }],
      relatedValues: [{ relationId: 'REL2', relatedValue: this.#department() }],
    })
  }

  #changedCustomer(customer: string): Write {
    const changes = [
      { op: 'replace', path: '/customerName', value: this.#name() },
      { op: 'replace', path: '/countryCode', value: this.#oneOf(['NO', 'SE']) },
      { op: 'replace', path: '/relatedValues/0/relatedValue', value: this.#department() },
      { op: 'replace', path: '/payment/bankAccount', value: String(this.#count) },
    ]
    return this.#patch(`/v1/customers/${customer}`, this.#oneOf(changes))
  }

  #closed(customer: string): Write {
    this.#customers.splice(this.#customers.indexOf(customer), 1)
    return { method: 'DELETE', url: `/v1/customers/${customer}?${COMPANY}` }
  }

  #newDocument(): Write {
    const invoice = { docType: 'INVOICE', indexes: [this.#costCentre(), { sequenceNo: 2, indexValue: this.#name() }] }
    return this.#post(DOCUMENTS, {
      ...(this.#random() < 0.5 ? invoice : { docType: 'NOTE' }),
      ...{ title: this.#name(), fileName: 'note.txt', fileContent: Buffer.from(this.#name()).toString('base64') },
    })
  }

  #changedDocument(id: string): Write {
    return this.#patch(`${DOCUMENTS}/${id}`, { op: 'replace', path: '/title', value: this.#name() })
  }

  #newRevision(id: string): Write {
    const fileContent = Buffer.from(this.#name()).toString('base64')
    return this.#post(`${REVISIONS}/${id}`, { comment: 'newer', fileName: 'note.txt', fileContent })
  }

  #removed(id: string): Write {
    this.#documents.splice(this.#documents.indexOf(id), 1)
    return { method: 'DELETE', url: `${DOCUMENTS}/${id}?${COMPANY}` }
  }

  /** Each hub has at most one relation: where it has one already, that is changed. */
  #newRelation(): Write {
    const attributeValue = `H${Math.floor(this.#random() * 8)}`
    const path = `/v1/attribute-relations/C3/${attributeValue}/C1/CC100`
    if (this.#relations.includes(path)) return this.#changedRelation()
    this.#relations.push(path)
    return this.#post('/v1/attribute-relations', {
      ...{ attributeId: 'C3', attributeValue, relatedAttributeId: 'C1', relationValue: 'CC100', percentage: 40 },
    })
  }

  #changedRelation(): Write {
    const percentage = this.#oneOf([10, 60, 90])
    return this.#patch(this.#oneOf(this.#relations) ?? '', { op: 'replace', path: '/percentage', value: percentage })
  }

  #removedRelation(): Write {
    const path = this.#oneOf(this.#relations) ?? ''
    this.#relations.splice(this.#relations.indexOf(path), 1)
    return { method: 'DELETE', url: `${path}?${COMPANY}` }
  }

  #post(url: string, body: object): Write {
    return { method: 'POST', url: `${url}?${COMPANY}`, body: { companyId: 'EN', ...body } }
  }

  #patch(url: string, operation: unknown): Write {
    return { method: 'PATCH', url: `${url}?${COMPANY}`, body: [operation] }
  }

  #oneOf<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(this.#random() * all.length)]
  }

  #name(): string {
    return this.#oneOf(NAMES) ?? ''
  }

  #department(): string {
    return this.#random() < 0.5 ? '100' : '200'
  }

  #costCentre() {
    return { sequenceNo: 1, indexValue: 'CC100' }
  }
}
