// One declared document of a running service: its records are written by HTTP, and known beside it as plain objects.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import type { DocumentSetup } from '../../../src/setup/file/document-schema.ts'
import type { World } from '../world.ts'
import { type PlainRecord, plainRecord, uniqueValues } from './plain-record.ts'
import { type Body, keyOf, numberedOf, referringOf } from './random-bodies.ts'

const COMPANY = 'EN'
/** What the service keeps of a record by itself, or checks in its own way. */
const KEPT = ['lastUpdated', 'contactPoints', 'relatedValues']

/** The schemas that the service publishes of a document. */
export interface Published {
  readonly accepts: ValidateFunction
  readonly fits: ValidateFunction
}

/** Compiles the schemas of the description, of which there are many, by their places. */
export function publishedBy(description: object): (name: string) => Published {
  const ajv = new Ajv2020({ strict: false, ownProperties: true, formats: { 'date-time': true, decimal: true } })
  ajv.addSchema(description, 'description')
  return (name) => {
    const post = `description#/paths/~1v1~1${name}/post`
    const json = 'content/application~1json/schema'
    return {
      accepts: ajv.compile({ $ref: `${post}/requestBody/${json}` }),
      fits: ajv.compile({ $ref: `${post}/responses/201/${json}` }),
    }
  }
}

export class DeclaredDocument {
  readonly document: DocumentSetup
  readonly records: PlainRecord[] = []
  readonly counts = { accepted: 0, refused: 0 }
  readonly #world: World
  readonly #published: Published
  readonly #keyNames: readonly string[]

  constructor(world: World, document: DocumentSetup, published: Published) {
    this.document = document
    this.#world = world
    this.#published = published
    this.#keyNames = keyOf(document)
  }

  get url(): string {
    return `/v1/${this.document.name}`
  }

  send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown) {
    return this.#world.send({ as: 'all', method, url, ...(body === undefined ? {} : { body }) })
  }

  addressOf(record: PlainRecord): string {
    return [this.url, ...this.#keyNames.map((name) => encodeURIComponent(String(record[name])))].join('/')
  }

  /** Creates a record if the description accepts the body and nothing is against it; else it must be refused. */
  async create(body: Body): Promise<void> {
    const mayBe = this.#published.accepts(body) && this.#isFree(body) && this.#isConsistent(body, undefined)
    const answer = await this.send('POST', this.url, body)
    this.#expectStatus(answer, mayBe ? 201 : undefined, body)
    if (!mayBe) return
    const numbered = numberedOf(this.document)
    const whole = numbered === undefined ? body : { ...body, [numbered]: answer.json[numbered] }
    const record = this.#plain(whole)
    this.#expectRecord(answer.json, record)
    expect((await this.send('GET', this.addressOf(record))).text).toBe(answer.text)
    this.records.push(record)
  }

  /** Replaces one member, under the same expectations. */
  async replace(record: PlainRecord, name: string, value: unknown): Promise<void> {
    const body = { ...record, ...this.#points(), [name]: value }
    const mayBe = this.#published.accepts(body) && this.#isConsistent(body, record)
    const before = await this.send('GET', this.addressOf(record))
    const patch = [{ op: 'replace', path: `/${name}`, value }]
    const answer = await this.send('PATCH', this.addressOf(record), patch)
    this.#expectStatus(answer, mayBe ? 200 : undefined, patch)
    const after = await this.send('GET', this.addressOf(record))
    expect(after.text).toBe((mayBe ? answer : before).text)
    if (!mayBe) return
    const changed = this.#plain(body)
    this.#expectRecord(answer.json, changed)
    this.records[this.records.indexOf(record)] = changed
  }

  /** Closes the record where the setup names a state for that, and else removes it. */
  async remove(record: PlainRecord): Promise<void> {
    const { state } = this.document
    const answer = await this.send('DELETE', this.addressOf(record))
    expect([answer.status, answer.text]).toEqual([200, ''])
    const after = await this.send('GET', this.addressOf(record))
    const at = this.records.indexOf(record)
    if (!state) {
      expect(after.status).toBe(404)
      this.records.splice(at, 1)
      return
    }
    const closed = { ...record, [state.property]: state.closed }
    this.#expectRecord(after.json, closed)
    this.records[at] = closed
  }

  #plain(body: Body): PlainRecord {
    return plainRecord(this.document, COMPANY, body)
  }

  #points(): Body {
    return this.document.contactPoints ? { contactPoints: [{ contactPointType: '1' }] } : {}
  }

  #expectStatus(answer: { status: number; text: string }, expected: number | undefined, body: unknown): void {
    const asked = { document: this.document, body }
    this.counts[expected === undefined ? 'refused' : 'accepted']++
    if (expected !== undefined ? answer.status === expected : [400, 422].includes(answer.status)) return
    expect({ ...asked, status: answer.status, text: answer.text }).toEqual({ ...asked, status: expected ?? 422 })
  }

  #expectRecord(answered: Body, record: PlainRecord): void {
    const { fits } = this.#published
    expect([fits(answered), fits.errors]).toEqual([true, null])
    const seen = Object.fromEntries(Object.entries(answered).filter(([name]) => !KEPT.includes(name)))
    expect(seen).toEqual(record)
    expect(answered.lastUpdated).toEqual({ updatedAt: expect.any(String), updatedBy: 'svc' })
  }

  #isFree(body: Body): boolean {
    if (numberedOf(this.document) !== undefined) return true
    const address = this.addressOf(this.#plain(body))
    return this.records.every((record) => this.addressOf(record) !== address)
  }

  /** Whether unique values are those of no other record, and a new reference leads to one that is not closed. */
  #isConsistent(body: Body, self: PlainRecord | undefined): boolean {
    const record = this.#plain(body)
    const others = this.records.filter((other) => other !== self)
    const taken = new Set(
      others.flatMap((other) => uniqueValues(this.document, other).map((one) => JSON.stringify(one))),
    )
    if (uniqueValues(this.document, record).some((one) => taken.has(JSON.stringify(one)))) return false
    const key = referringOf(this.document).map((name) => record[name])
    if (key.every((part) => part === '' || part === 0)) return true
    const wanted = JSON.stringify(key)
    const { state } = this.document
    // What is changed here keeps its reference.
    const mayBeReferred = (other: PlainRecord) => self !== undefined || !state || other[state.property] !== state.closed
    return this.records.some(
      (other) => mayBeReferred(other) && JSON.stringify(this.#keyNames.map((name) => other[name])) === wanted,
    )
  }
}
