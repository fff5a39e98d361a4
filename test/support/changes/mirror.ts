// A copy of a company's records by a consumer that knows only HTTP: a full load, then the feed. It keeps its cursor
// with its records, as a consumer does that writes both in one transaction, and it fails at the first sign of a gap or
// a double: a record that is created twice, or one that is changed or deleted and was never there.
import { linesOf } from '../process.ts'

export interface MirroredEntity {
  readonly name: string
  readonly key: readonly string[]
  readonly select: string
}

const VALUE_KEY = ['attributeId', 'attributeValue', 'periodFrom']

export const MIRRORED: readonly MirroredEntity[] = [
  { name: 'attribute-values', key: VALUE_KEY, select: '*,relatedValues,contactPoints' },
  {
    name: 'attribute-relations',
    key: ['attributeId', 'attributeValue', 'relatedAttributeId', 'relationValue'],
    select: '*',
  },
  { name: 'customers', key: ['customerId'], select: '*,relatedValues,contactPoints' },
  { name: 'document-archive', key: ['id'], select: '*,indexes' },
]

interface Change {
  readonly id: string
  readonly number: number
  readonly key: Readonly<Record<string, string | number>>
  readonly operation: 'created' | 'updated' | 'deleted' | 'entered' | 'left'
}

interface Answered {
  readonly status: number
  readonly text: string
  /** The header that names the number of the last change in the answer. */
  readonly changeNumber: string
}

/** Reads a path with its query, as NDJSON. */
export type Read = (path: string) => Promise<Answered>

export const NDJSON = { accept: 'application/x-ndjson' }
export const NUMBER_HEADER = 'x-erp-change-number'
/** The record is the last member of a change; its bytes are compared, not its values. */
const RECORD = '"record":'

export class Mirror {
  readonly #companyId: string
  readonly #entity: MirroredEntity
  readonly #records = new Map<string, string>()
  readonly #seen = new Set<string>()
  #cursor: string | undefined
  #lastNumber = 0

  constructor(companyId: string, entity: MirroredEntity) {
    this.#companyId = companyId
    this.#entity = entity
  }

  /** The number of changes that the feed has told. */
  get told(): number {
    return this.#seen.size
  }

  get isLoaded(): boolean {
    return this.#cursor !== undefined
  }

  /** Reads all records, and the number that the feed goes on from. */
  async load(read: Read): Promise<void> {
    const { status, text, changeNumber } = await read(this.#collection())
    if (status !== 200 || changeNumber === '') throw new Error(`the load of ${this.#entity.name}: ${status} ${text}`)
    for (const line of linesOf(text)) this.#records.set(this.#keyOf(JSON.parse(line)), line)
    this.#cursor = changeNumber
    this.#lastNumber = Number(changeNumber)
  }

  /** Follows from the first change on: nothing is loaded. */
  begin(): void {
    this.#cursor = '0'
  }

  /** Takes over the next page of changes; waits up to `wait` seconds for one. Returns whether there is no more. */
  async follow(read: Read, wait = 0): Promise<boolean> {
    const { name } = this.#entity
    const options = { since: this.#cursor ?? '', entities: name, limit: '200', wait: String(wait) }
    const { status, text } = await read(`/v1/changes?${this.#query(options)}`)
    if (status !== 200)
      throw new Error(`the changes of ${name} of ${this.#companyId} after ${this.#lastNumber}: ${status} ${text}`)
    const lines = linesOf(text)
    const tail = JSON.parse(lines.at(-1) ?? '{}') as { readonly next?: string; readonly upToDate?: boolean }
    if (tail.next === undefined) throw new Error(`an answer of ${name} was cut off: ${text.slice(-200)}`)
    for (const line of lines.slice(1, -1)) this.#apply(line)
    this.#cursor = tail.next
    return tail.upToDate === true
  }

  /** What the collection answers now that this copy has otherwise; empty when both are the same, byte for byte. */
  async differences(read: Read): Promise<string[]> {
    const { text } = await read(this.#collection())
    const lines = linesOf(text)
    const found = lines.flatMap((line) => {
      const copy = this.#records.get(this.#keyOf(JSON.parse(line)))
      return copy === line ? [] : [`is ${line}\nnot ${copy}`]
    })
    if (lines.length === this.#records.size) return found
    const keys = new Set(lines.map((line) => this.#keyOf(JSON.parse(line))))
    return [...found, ...[...this.#records.keys()].filter((key) => !keys.has(key)).map((key) => `${key} is gone`)]
  }

  #apply(line: string): void {
    const { id, number, key, operation } = JSON.parse(line) as Change
    const name = this.#keyOf(key)
    const isThere = this.#records.has(name)
    const isNew = operation === 'created' || operation === 'entered'
    if (this.#seen.has(id) || number < this.#lastNumber || isThere === isNew) {
      throw new Error(`a double, or after a gap: ${line}; the last number was ${this.#lastNumber}, ${isThere}`)
    }
    this.#seen.add(id)
    this.#lastNumber = number
    if (operation === 'deleted' || operation === 'left') this.#remove(name, line)
    else this.#records.set(name, line.slice(line.indexOf(RECORD) + RECORD.length, -1))
  }

  /** What is gone or out of sight is told by its key and nothing else. */
  #remove(name: string, line: string): void {
    const members = Object.keys(JSON.parse(line) as object)
    if (members.join() !== 'id,number,time,entity,key,operation') throw new Error(`more than its key: ${line}`)
    this.#records.delete(name)
  }

  #keyOf(record: Readonly<Record<string, unknown>>): string {
    return JSON.stringify(this.#entity.key.map((name) => record[name]))
  }

  #collection(): string {
    return `/v1/objects/${this.#entity.name}?${this.#query({})}`
  }

  #query(options: Readonly<Record<string, string>>): URLSearchParams {
    return new URLSearchParams({ companyId: this.#companyId, select: this.#entity.select, ...options })
  }
}
