// Clients that write while backups are taken, and record the acknowledgements with their times.
import { randomBytes } from 'node:crypto'
import { vi } from 'vitest'
import { DOCUMENTS, REVISIONS } from '../../../support/documents.ts'
import { call } from '../../../support/process.ts'
import { sendFile, sha256 } from '../document-client.ts'

const VALUES = '/v1/attribute-values'
const SIZES = [1, 700, 20_000, 200_000]
/** The share of documents among the writes; the rest are values. */
const DOCUMENT_SHARE = 0.3
const REVISION_SHARE = 0.2
const PATIENCE_MS = 120_000

/** An acknowledged write. */
export interface Acknowledged {
  readonly kind: 'value' | 'revision'
  /** A client writes sequentially. */
  readonly client: string
  /** The name of the value, or the id of the document. */
  readonly id: string
  readonly revisionNo: number
  /** The SHA-256 of the content. */
  readonly hash: string
  /** The time of the answer, in milliseconds since 1970. */
  readonly at: number
  readonly tookMs: number
}

export class BackupLoad {
  /** In the order of acknowledgement. */
  readonly acknowledged: Acknowledged[] = []
  readonly refused: string[] = []
  readonly #address: string
  readonly #random: () => number
  readonly #pauseMs: number
  readonly #documents: string[] = []
  readonly #clients: Promise<void>[]
  #isStopping = false

  /** Each client waits `pauseMs` between its writes. */
  constructor(address: string, clients: number, round: string, random: () => number, pauseMs = 0) {
    this.#address = address
    this.#random = random
    this.#pauseMs = pauseMs
    this.#clients = Array.from({ length: clients }, (_, id) => this.#write(`${round}C${id}`))
  }

  /** Resolves when this many more writes are acknowledged. */
  async go(writes: number): Promise<void> {
    const enough = this.acknowledged.length + writes
    await vi.waitUntil(() => this.acknowledged.length >= enough, { timeout: PATIENCE_MS, interval: 5 })
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.#clients)
  }

  /** The 99th percentile of the latency of these writes. */
  static p99(writes: readonly Acknowledged[]): number {
    const sorted = writes.map(({ tookMs }) => tookMs).sort((one, other) => one - other)
    return Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0)
  }

  async #write(client: string): Promise<void> {
    for (let count = 0; !this.#isStopping; count++) {
      const choice = this.#random()
      if (choice < DOCUMENT_SHARE) await this.#document(client, `${client}N${count}`)
      else if (choice < DOCUMENT_SHARE + REVISION_SHARE) await this.#revision(client, `${client}N${count}`)
      else await this.#value(client, `${client}N${count}`)
      if (this.#pauseMs > 0) await new Promise((resume) => setTimeout(resume, this.#pauseMs))
    }
  }

  async #value(client: string, attributeValue: string): Promise<void> {
    const body = { attributeId: 'C1', attributeValue, description: `made ${attributeValue}` }
    const begun = performance.now()
    const { status, text } = await call(this.#address + VALUES, { method: 'POST', body })
    const known = { kind: 'value', client, id: attributeValue, revisionNo: 0, hash: '' } as const
    if (status === 201) this.acknowledged.push({ ...known, at: Date.now(), tookMs: performance.now() - begun })
    else this.refused.push(`${attributeValue}: ${status} ${text}`)
  }

  async #document(client: string, title: string): Promise<void> {
    const indexes = ['CC100', title, `made ${title}`].map((indexValue, at) => ({ sequenceNo: at + 1, indexValue }))
    const fields = { docType: 'INVOICE', indexes, title, description: `made ${title}`, fileName: 'note.txt' }
    const id = await this.#send(client, this.#address + DOCUMENTS, fields)
    if (id !== undefined) this.#documents.push(id)
  }

  async #revision(client: string, comment: string): Promise<void> {
    const id = this.#documents[Math.floor(this.#random() * this.#documents.length)]
    if (id !== undefined)
      await this.#send(client, `${this.#address}${REVISIONS}/${id}`, { comment, fileName: 'note.txt' })
  }

  async #send(client: string, url: string, fields: Readonly<Record<string, unknown>>): Promise<string | undefined> {
    const content = randomBytes(SIZES[Math.floor(this.#random() * SIZES.length)] ?? 1)
    const begun = performance.now()
    const { status, text } = await sendFile(url, fields, content, this.#random() < 0.5)
    const tookMs = performance.now() - begun
    if (status !== 201) {
      this.refused.push(`${url}: ${status} ${text}`)
      return undefined
    }
    const { id, revisionNo } = JSON.parse(text) as { id: string; revisionNo: number }
    this.acknowledged.push({ kind: 'revision', client, id, revisionNo, hash: sha256(content), at: Date.now(), tookMs })
    return id
  }
}

/** Returns a predicate: whether a store has a write as it was acknowledged, in its rows and its files. */
export async function lookIn(
  query: (text: string) => Promise<Record<string, unknown>[]>,
  hasContent: (hash: string) => boolean,
): Promise<(write: Acknowledged) => boolean> {
  const values = new Set(
    (await query(`select attribute_value from attribute_value where description = 'made ' || attribute_value`)).map(
      (row) => row.attribute_value,
    ),
  )
  const revisions = new Map(
    (await query('select document_id, revision_no, file_hash from document_revision')).map((row) => [
      `${row.document_id}/${row.revision_no}`,
      row.file_hash,
    ]),
  )
  return ({ kind, id, revisionNo, hash }) =>
    kind === 'value' ? values.has(id) : revisions.get(`${id}/${revisionNo}`) === hash && hasContent(hash)
}

/** Stored writes that follow a missing write of the same client. */
export function afterGaps(writes: readonly Acknowledged[], isThere: (write: Acknowledged) => boolean): Acknowledged[] {
  const ended = new Set<string>()
  return writes.filter((write) => {
    if (isThere(write)) return ended.has(write.client)
    ended.add(write.client)
    return false
  })
}

/** Queries for incomplete documents and values, and for journals with gaps; one text for both engines. */
export const HALVES: readonly string[] = [
  `select * from (select d.document_id, d.revision_no,
    (select count(*) from document_index i where i.company_id = d.company_id and i.document_id = d.document_id) as indexes,
    (select count(*) from document_revision r
      where r.company_id = d.company_id and r.document_id = d.document_id) as revisions,
    (select count(*) from document_revision r where r.company_id = d.company_id and r.document_id = d.document_id
      and r.revision_no = d.revision_no and r.file_hash = d.file_hash and r.doc_size = d.doc_size) as newest,
    (select count(*) from document_text x where x.company_id = d.company_id and x.document_id = d.document_id) as texts,
    (select count(*) from audit_entry j where j.company_id = d.company_id and j.entity = 'document'
      and j.operation = 'create' and j.record_key = '["' || d.document_id || '"]') as entries
    from document d) counted
  where indexes <> 3 or revisions <> revision_no or newest <> 1 or texts <> 1 or entries <> 1`,
  `select document_id from document_revision except select document_id from document`,
  `select document_id from document_index except select document_id from document`,
  ...bothWays(
    `select '["' || document_id || '",' || cast(revision_no as text) || ']' from document_revision where revision_no > 1`,
    `select record_key from audit_entry where entity = 'document-revision'`,
  ),
  ...bothWays(
    `select '["' || attribute_id || '","' || attribute_value || '",' || cast(period_from as text) || ']'
      from attribute_value where company_id = 'EN' and description = 'made ' || attribute_value`,
    `select record_key from audit_entry
      where company_id = 'EN' and entity = 'attribute-value' and operation = 'create' and user_id <> 'setup'`,
  ),
  `select j.company_id from audit_entry j join journal_counter c on c.company_id = j.company_id
    group by j.company_id, c.last_entry
    having max(j.entry_no) > c.last_entry or count(*) <> count(distinct j.entry_no)`,
]

function bothWays(one: string, other: string): string[] {
  return [`${one} except ${other}`, `${other} except ${one}`]
}

/** The journal, with the order of all writes. */
export const JOURNAL = `select company_id, entry_no, entity, record_key, operation, at from audit_entry
  order by company_id, entry_no`
