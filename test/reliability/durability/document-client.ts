// A client of the document archive that records acknowledgements and reports later which of them are lost.
import { createHash, randomBytes } from 'node:crypto'
import { DOCUMENTS, REVISIONS } from '../../support/documents.ts'
import { credentials } from '../../support/process.ts'

const LARGEST_BYTES = 3_000_000
/** Some contents are equal on purpose, also those of different clients. */
const COMMON = [1, 70, 5_000, 300_000, 1_500_000].map((size) => Buffer.alloc(size, `common of ${size},`))
const COMMON_SHARE = 0.25
/** The share of revisions among the requests; the rest are new documents. */
const REVISE_SHARE = 0.25
const PATCH_SHARE = 0.25

/** An acknowledged content. */
export interface StoredContent {
  readonly id: string
  readonly revisionNo: number
  readonly hash: string
  readonly size: number
}

export const sha256 = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex')

/** Small contents are more frequent than large ones: the number of digits is uniformly distributed. */
function randomContent(random: () => number): Buffer {
  if (random() < COMMON_SHARE) return COMMON[Math.floor(random() * COMMON.length)]!
  return randomBytes(Math.ceil(LARGEST_BYTES ** (random() ** 3)))
}

type Fields = Readonly<Record<string, unknown>>

/** Sends a file with its record, as JSON or as a form; throws without a complete answer. */
export async function sendFile(url: string, fields: Fields, content: Buffer, asForm = false) {
  const body = asForm ? formOf(fields, content) : JSON.stringify({ ...fields, fileContent: content.toString('base64') })
  const headers = { authorization: credentials, ...(asForm ? {} : { 'content-type': 'application/json' }) }
  const answer = await fetch(url, { method: 'POST', headers, body })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

function formOf(fields: Fields, content: Buffer): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  form.set('file', new Blob([new Uint8Array(content)]), String(fields.fileName))
  return form
}

/** Reads an address to its end; throws when the answer is cut off. */
export async function fetchWhole(url: string) {
  const answer = await fetch(url, { headers: { authorization: credentials } })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

interface Answered {
  readonly id: string
  readonly revisionNo: number
  readonly fileContent: string
}

export class DocumentClient {
  readonly stored: StoredContent[] = []
  /** By document, the last acknowledged description; the index 3 of an invoice has the same text. */
  readonly described = new Map<string, string>()
  /** A change of the description that was never answered: either text may be stored. */
  readonly doubtful = new Map<string, string>()
  /** The hashes of everything that was sent: no other content may exist. */
  readonly sent = new Set<string>()
  readonly refused: string[] = []
  /** The number of answers that say that the database is unavailable. */
  unavailable = 0
  acknowledged = 0
  /** The number of requests without an answer. */
  broken = 0
  readonly #id: number
  readonly #random: () => number
  #count = 0
  #checked = 0

  constructor(id: number, random: () => number) {
    this.#id = id
    this.#random = random
  }

  /**
   * Writes until `isOver` returns true, whatever happens to its requests. All clients add revisions to the document
   * `shared`, too.
   */
  async write(address: string, shared: string, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const unavailable = this.unavailable
      await this.#writeOne(address, shared).catch(() => this.broken++)
      if (this.unavailable > unavailable) await new Promise((resume) => setTimeout(resume, 20))
    }
  }

  async #writeOne(address: string, shared: string): Promise<void> {
    const choice = this.#random()
    if (choice < PATCH_SHARE) await this.#patch(address)
    else if (choice < PATCH_SHARE + REVISE_SHARE) await this.#revise(address, shared)
    else await this.create(address)
  }

  /** Returns the id. */
  async create(address: string): Promise<string | undefined> {
    const title = `K${this.#id}N${this.#count++}`
    const isInvoice = this.#random() < 0.5
    const description = `made ${title}`
    const indexes = ['CC100', title, description].map((indexValue, at) => ({ sequenceNo: at + 1, indexValue }))
    const type = isInvoice ? { docType: 'INVOICE', indexes } : { docType: 'NOTE' }
    const fields = { ...type, title, description, fileName: this.#fileName() }
    const made = await this.#send(address + DOCUMENTS, fields)
    if (made) this.described.set(made.id, description)
    return made?.id
  }

  async #revise(address: string, shared: string): Promise<void> {
    const id = this.#random() < 0.3 ? shared : (this.#ownDocument() ?? shared)
    await this.#send(`${address}${REVISIONS}/${id}`, { comment: `N${this.#count++}`, fileName: this.#fileName() })
  }

  async #patch(address: string): Promise<void> {
    const id = this.#ownDocument()
    if (id === undefined || this.doubtful.has(id)) return
    const description = `changed ${this.#id}N${this.#count++}`
    const record = await fetchWhole(`${address}${DOCUMENTS}/${id}`)
    if (record.status === 503) this.unavailable++
    if (record.status === 503) return
    const { docType } = JSON.parse(record.bytes.toString())
    this.doubtful.set(id, description)
    const paths = docType === 'INVOICE' ? ['/description', '/indexes/2/indexValue'] : ['/description']
    const answer = await fetch(`${address}${DOCUMENTS}/${id}`, {
      method: 'PATCH',
      headers: { authorization: credentials, 'content-type': 'application/json' },
      body: JSON.stringify(paths.map((path) => ({ op: 'replace', path, value: description }))),
    })
    const text = await answer.text()
    if (answer.status === 503) this.unavailable++
    if (answer.status === 503) return
    this.doubtful.delete(id)
    if (answer.status === 200) this.acknowledged++
    if (answer.status === 200) this.described.set(id, description)
    else this.refused.push(`PATCH ${id}: ${answer.status} ${text}`)
  }

  async #send(url: string, fields: Fields): Promise<Answered | undefined> {
    const content = randomContent(this.#random)
    const hash = sha256(content)
    this.sent.add(hash)
    const { status, text } = await sendFile(url, fields, content, this.#random() < 0.5)
    if (status === 503) this.unavailable++
    else if (status !== 201) this.refused.push(`POST ${url} ${JSON.stringify(fields)}: ${status} ${text}`)
    if (status !== 201) return undefined
    const answered = JSON.parse(text) as Answered
    const { id, revisionNo } = answered
    if (sha256(Buffer.from(answered.fileContent, 'base64')) !== hash) this.refused.push(`POST ${url}: another content`)
    this.acknowledged++
    this.stored.push({ id, revisionNo, hash, size: content.length })
    return answered
  }

  #ownDocument(): string | undefined {
    return [...this.described.keys()][Math.floor(this.#random() * this.described.size)]
  }

  /** A type with text extraction, or one without. */
  #fileName(): string {
    return this.#random() < 0.5 ? 'note.txt' : 'data.bin'
  }

  /** Acknowledged contents since the last check, or of all time, that are not stored as acknowledged. */
  async lost(address: string, isEver = false): Promise<string[]> {
    const stored = isEver ? this.stored : this.stored.slice(this.#checked)
    const documents = new Set([...stored.map(({ id }) => id), ...this.doubtful.keys()])
    this.#checked = this.stored.length
    const lost: string[] = []
    for (const id of documents) lost.push(...(await this.#lostOfDocument(address, id)))
    for (const one of stored) lost.push(...(await lostOfRevision(address, one)))
    return lost
  }

  async #lostOfDocument(address: string, id: string): Promise<string[]> {
    const { status, bytes } = await fetchWhole(`${address}${DOCUMENTS}/${id}`)
    if (status !== 200) return [`${id}: ${status} ${bytes}`]
    const { description, revisionNo, fileContent, indexes, docType } = JSON.parse(bytes.toString())
    const known = this.stored.filter((one) => one.id === id)
    const newest = Math.max(0, ...known.map((one) => one.revisionNo))
    const hash = sha256(Buffer.from(fileContent, 'base64'))
    const expected = known.find((one) => one.revisionNo === revisionNo)?.hash
    const lost = []
    if (revisionNo < newest) lost.push(`${id}: revision ${revisionNo} instead of ${newest}`)
    if (expected !== undefined && hash !== expected) lost.push(`${id}: content ${hash} instead of ${expected}`)
    const possible = [this.described.get(id), this.doubtful.get(id)]
    if (this.described.has(id)) {
      const found = docType === 'INVOICE' ? [description, indexes[2].indexValue] : [description]
      if (!possible.some((text) => found.every((one) => one === text)))
        lost.push(`${id}: ${found} is none of ${possible}`)
      this.described.set(id, description)
    }
    this.doubtful.delete(id)
    return lost
  }
}

/** Checks the revision's record and its file. */
async function lostOfRevision(address: string, { id, revisionNo, hash, size }: StoredContent): Promise<string[]> {
  const url = `${address}${REVISIONS}/${id}/${revisionNo}`
  const record = await fetchWhole(url)
  const raw = await fetchWhole(`${url}/content`)
  const name = `${id}/${revisionNo} (${size} bytes)`
  if (record.status !== 200 || raw.status !== 200) return [`${name}: ${record.status} and ${raw.status}`]
  const { fileContent } = JSON.parse(record.bytes.toString())
  const found = [sha256(Buffer.from(fileContent, 'base64')), sha256(raw.bytes), raw.headers.get('etag')?.slice(1, -1)]
  return found.every((one) => one === hash) ? [] : [`${name}: ${found} instead of ${hash}`]
}
