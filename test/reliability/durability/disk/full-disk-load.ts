// Clients that write and read while a disk is full and while it has free space again, and record every answer.
import { randomBytes } from 'node:crypto'
import { DOCUMENTS } from '../../../support/documents.ts'
import { call } from '../../../support/process.ts'
import { fetchWhole, sendFile, sha256 } from '../document-client.ts'
import { VALUES } from './writes.ts'

const LARGEST_BYTES = 300_000

export interface StoredContent {
  readonly id: string
  readonly title: string
  readonly hash: string
}

export class FullDiskLoad {
  readonly stored: StoredContent[] = []
  /** Acknowledged records. */
  readonly records: string[] = []
  /** The names of rejected records. */
  readonly refused = new Set<string>()
  /** Illegal outcomes: a rejection other than 503 with Retry-After, a broken connection, a failed read. */
  readonly wrong: string[] = []
  /** Latencies of reads in ms, with free space on the disk and without. */
  readonly reads = { room: [] as number[], full: [] as number[] }
  isFull = false
  readonly #address: string
  readonly #random: () => number
  #isOver = false
  #count = 0

  constructor(address: string, random: () => number) {
    this.#address = address
    this.#random = random
  }

  /** Runs until `end`. */
  async run(writers: number, readers: number): Promise<void> {
    const loop = async (work: () => Promise<unknown>) => {
      while (!this.#isOver) await work().catch((error: unknown) => this.wrong.push(String(error)))
    }
    await Promise.all([
      ...Array.from({ length: writers }, () =>
        loop(() => (this.#random() < 0.7 ? this.addDocument() : this.#addRecord())),
      ),
      ...Array.from({ length: readers }, () => loop(() => this.#read())),
    ])
  }

  end(): void {
    this.#isOver = true
  }

  /** Whether it was acknowledged. Small contents are more frequent than large ones. */
  async addDocument(): Promise<boolean> {
    const title = `W${this.#count++}`
    const content = randomBytes(Math.ceil(LARGEST_BYTES ** this.#random()))
    const fields = { docType: 'NOTE', title, fileName: 'full.bin' }
    const answer = await sendFile(this.#address + DOCUMENTS, fields, content, this.#random() < 0.5)
    if (answer.status === 201) this.stored.push({ id: JSON.parse(answer.text).id, title, hash: sha256(content) })
    else this.#refuse(title, answer)
    return answer.status === 201
  }

  async #addRecord(): Promise<void> {
    const attributeValue = `W${this.#count++}`
    const body = { attributeId: 'C1', attributeValue, description: 'x'.repeat(500) }
    const answer = await call(this.#address + VALUES, { method: 'POST', body })
    if (answer.status === 201) this.records.push(attributeValue)
    else this.#refuse(attributeValue, answer)
  }

  #refuse(name: string, { status, headers, text }: { status: number; headers: Headers; text: string }): void {
    this.refused.add(name)
    if (status !== 503 || !(Number(headers.get('retry-after')) > 0)) this.wrong.push(`${name}: ${status} ${text}`)
  }

  async #read(): Promise<void> {
    const one = this.stored[Math.floor(this.#random() * this.stored.length)]
    const times = this.isFull ? this.reads.full : this.reads.room
    const begun = performance.now()
    if (!one || this.#random() < 0.2) {
      const { status, text } = await call(`${this.#address}${VALUES}/C1/CC100/0`)
      if (status !== 200) this.wrong.push(`a record is read: ${status} ${text}`)
    } else {
      const { status, bytes } = await fetchWhole(`${this.#address}${DOCUMENTS}/${one.id}/content`)
      if (status !== 200 || sha256(bytes) !== one.hash) this.wrong.push(`${one.title} is read: ${status}`)
    }
    times.push(performance.now() - begun)
  }
}
