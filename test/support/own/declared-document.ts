// One declared document of a running service: its records are written by HTTP, and known beside it as plain objects.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { parseExact } from '../../../src/base/long-number.ts'
import type { DocumentSetup } from '../../../src/setup/file/document-schema.ts'
import type { World } from '../world.ts'
import { answeredAs, linesIn, plainWhole, refusalByState } from './plain-family.ts'
import { type PlainRecord, uniqueValues } from './plain-record.ts'
import { type Body, keyOf, numberedOf, referringOf } from './random-bodies.ts'
import { type Family, LINE, LINES } from './random-families.ts'

const COMPANY = 'EN'
/** What the service keeps of a record by itself, or checks in its own way. */
const KEPT = ['lastUpdated', 'contactPoints', 'relatedValues']

const REFUSED = [400, 422]

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

/** An operation of a patch. */
interface Operation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string
  readonly value?: unknown
}

export class DeclaredDocument {
  readonly family: Family
  readonly document: DocumentSetup
  readonly records: PlainRecord[] = []
  readonly counts = { accepted: 0, refused: 0 }
  readonly #world: World
  readonly #published: Published
  readonly #keyNames: readonly string[]

  constructor(world: World, family: Family, published: Published) {
    this.family = family
    this.document = family.document
    this.#world = world
    this.#published = published
    this.#keyNames = keyOf(family.document)
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
    const isLegal = this.#published.accepts(body) && this.#isFree(body) && this.#isConsistent(body, undefined)
    const mayBe = isLegal && this.#isFirstState(body)
    const answer = await this.send('POST', this.url, body)
    this.#expectStatus(answer, mayBe ? [201] : REFUSED, body)
    if (!mayBe) return
    const numbered = numberedOf(this.document)
    const whole = numbered === undefined ? body : { ...body, [numbered]: answer.json[numbered] }
    const record = this.#plain(whole)
    this.#expectRecord(answer.text, record)
    expect((await this.send('GET', this.addressOf(record))).text).toBe(answer.text)
    this.records.push(record)
  }

  /** Replaces one member, under the same expectations. */
  async replace(record: PlainRecord, name: string, value: unknown): Promise<void> {
    await this.patch(record, [{ op: 'replace', path: `/${name}`, value }], { [name]: value })
  }

  /** Changes the record by a patch, after which it has these members. */
  async patch(record: PlainRecord, operations: readonly Operation[], members: Body): Promise<void> {
    const body = { ...record, ...this.#points(), ...members }
    const isLegal = this.#published.accepts(body) && this.#isConsistent(body, record)
    const refusal = isLegal ? refusalByState(this.family, record, this.#plain(body)) : undefined
    const mayBe = isLegal && refusal === undefined
    const before = await this.send('GET', this.addressOf(record))
    const answer = await this.send('PATCH', this.addressOf(record), operations)
    // What the state refuses may be told instead of what is wrong in a patch itself.
    const unless = this.document.state?.transitions ? [...REFUSED, 403, 409] : [...REFUSED, 403]
    const refused = refusal === undefined ? unless : [refusal]
    this.#expectStatus(answer, mayBe ? [200] : refused, { before: before.json, operations })
    const after = await this.send('GET', this.addressOf(record))
    expect(after.text).toBe((mayBe ? answer : before).text)
    if (!mayBe) return
    const changed = this.#plain(body)
    this.#expectRecord(answer.text, changed)
    this.records[this.records.indexOf(record)] = changed
  }

  /** Closes the record where the setup names a state for that, and else removes it. */
  async remove(record: PlainRecord): Promise<void> {
    const { state, properties } = this.document
    const answer = await this.send('DELETE', this.addressOf(record))
    const isClosed = state && record[state.property] === state.closed
    const ofLines = properties[LINES] as { readonly with?: string } | undefined
    if (ofLines?.with === 'restrict' && linesIn(record).length > 0 && !isClosed) {
      expect(answer.status).toBe(409)
      return
    }
    expect([answer.status, answer.text]).toEqual([200, ''])
    const after = await this.send('GET', this.addressOf(record))
    const at = this.records.indexOf(record)
    if (!state) {
      expect(after.status).toBe(404)
      this.records.splice(at, 1)
      return
    }
    const closed = { ...record, [state.property]: state.closed }
    this.#expectRecord(after.text, closed)
    this.records[at] = closed
  }

  #plain(body: Body): PlainRecord {
    return plainWhole(this.family, COMPANY, body)
  }

  #points(): Body {
    return this.document.contactPoints ? { contactPoints: [{ contactPointType: '1' }] } : {}
  }

  #expectStatus(answer: { status: number; text: string }, expected: readonly number[], body: unknown): void {
    this.counts[expected.some((status) => status < 300) ? 'accepted' : 'refused']++
    if (expected.includes(answer.status)) return
    const asked = { document: this.document, lines: this.family.lines, body }
    expect({ ...asked, status: answer.status, text: answer.text }).toEqual({ ...asked, status: expected })
  }

  #expectRecord(text: string, record: PlainRecord): void {
    const { fits } = this.#published
    expect([fits(JSON.parse(text)), fits.errors]).toEqual([true, null])
    const answered = parseExact(text) as Body
    const seen = Object.fromEntries(Object.entries(answered).filter(([name]) => !KEPT.includes(name)))
    const { document, lines } = this.family
    expect({ document, lines, seen }).toEqual({ document, lines, seen: answeredAs(this.family, record) })
    expect(answered.lastUpdated).toEqual({ updatedAt: expect.any(String), updatedBy: 'svc' })
  }

  #isFree(body: Body): boolean {
    if (numberedOf(this.document) !== undefined) return true
    const address = this.addressOf(this.#plain(body))
    return this.records.every((record) => this.addressOf(record) !== address)
  }

  /** A new record has the default where states change by transitions; any is legal where they do not. */
  #isFirstState(body: Body): boolean {
    const { state } = this.document
    return !state?.transitions || this.#plain(body)[state.property] === 'A'
  }

  /** Whether unique values are those of no other record, and a new reference leads to one that is not closed. */
  #isConsistent(body: Body, self: PlainRecord | undefined): boolean {
    const record = this.#plain(body)
    const others = this.records.filter((other) => other !== self)
    const { lines } = this.family
    const uniqueIn = (one: PlainRecord) => uniqueValues(this.document, one).map((pair) => JSON.stringify(pair))
    const uniqueInLines = (one: PlainRecord) =>
      lines
        ? linesIn(one).flatMap((line) => uniqueValues(lines, line).map((pair) => JSON.stringify(['line', pair])))
        : []
    const taken = new Set(others.flatMap((other) => [...uniqueIn(other), ...uniqueInLines(other)]))
    const ofLines = [...uniqueInLines(record), ...linesIn(record).map((line) => JSON.stringify(line[LINE]))]
    if (new Set(ofLines).size < ofLines.length) return false
    // What another line holds is free when that is gone, not while both are changed.
    const held = linesIn(self ?? {}).flatMap((line) => {
      const isKept = linesIn(record).some((one) => one[LINE] === line[LINE])
      return lines && isKept ? uniqueValues(lines, line).map((pair) => JSON.stringify([line[LINE], pair])) : []
    })
    const takes = linesIn(record).some((line) =>
      (lines ? uniqueValues(lines, line) : []).some((pair) =>
        linesIn(record).some(
          ({ [LINE]: other }) => other !== line[LINE] && held.includes(JSON.stringify([other, pair])),
        ),
      ),
    )
    if (takes) return false
    if ([...uniqueIn(record), ...ofLines].some((one) => taken.has(one))) return false
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
