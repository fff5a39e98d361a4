// Eight clients write records of every kind to one store across many crashes of the service, and everything stored is
// checked afterwards.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { DataLocation } from '../../../support/data-location.ts'
import { call, integrityOf, run, serveHere } from '../../../support/process.ts'
import { randomNumbers, SEED } from '../../../support/reliability-test.ts'
import { pathOf } from '../content-files.ts'
import { DocumentClient, sha256 } from '../document-client.ts'
import { halvesSince, LAST_ENTRY, referredSince } from './halves.ts'
import { everLost, RecordClient } from './record-client.ts'

const RECORD_CLIENTS = 6
const DOCUMENT_CLIENTS = 2
const SOUND = /^[\d,]+ files? read: 0 missing, 0 damaged; /

export class CrashRun {
  readonly place: DataLocation
  readonly files: string
  readonly #records: readonly RecordClient[]
  readonly #documents: readonly DocumentClient[]
  /** The document that all clients add revisions to. */
  #shared = ''
  /** The journal entry up to which the writes have been checked. */
  #lookedAt = 0

  private constructor(place: DataLocation) {
    this.place = place
    this.files = join(place.data, 'files')
    this.#records = Array.from({ length: RECORD_CLIENTS }, (_, id) => {
      return new RecordClient(id, join(place.data, `client-${id}.journal`), randomNumbers(SEED + id))
    })
    this.#documents = Array.from({ length: DOCUMENT_CLIENTS }, (_, id) => {
      return new DocumentClient(id, randomNumbers(SEED + RECORD_CLIENTS + id))
    })
  }

  /** Starts on an empty location. */
  static async begin(place: DataLocation, setup = 'test/fixtures/crash.yaml'): Promise<CrashRun> {
    await run(['setup', setup, ...place.flags])
    const crash = new CrashRun(place)
    const service = await serveHere(place.flags)
    crash.#shared = (await crash.#documents[0]!.create(service.address)) ?? ''
    await service.stop()
    return crash
  }

  get acknowledged(): number {
    return this.#sum(({ acknowledged }) => acknowledged)
  }

  /** The number of answers that say that the database is unavailable. */
  get unavailable(): number {
    return this.#sum(({ unavailable }) => unavailable)
  }

  /** The number of requests without an answer. */
  get broken(): number {
    return this.#sum(({ broken }) => broken)
  }

  get refused(): readonly string[] {
    return this.#clients.flatMap((client) => client.refused)
  }

  get #clients(): readonly (RecordClient | DocumentClient)[] {
    return [...this.#records, ...this.#documents]
  }

  #sum(count: (client: RecordClient | DocumentClient) => number): number {
    return this.#clients.map(count).reduce((total, one) => total + one, 0)
  }

  /** Writes until `isOver` returns true. */
  async write(address: string, isOver: () => boolean): Promise<void> {
    await Promise.all([
      ...this.#records.map((client) => client.write(address, isOver)),
      ...this.#documents.map((client) => client.write(address, this.#shared, isOver)),
    ])
  }

  /** Acknowledged writes since the last check that are missing, read one by one. */
  async lost(address: string): Promise<string[]> {
    return (await Promise.all(this.#clients.map((client) => client.lost(address)))).flat()
  }

  /**
   * Incomplete records among the rows written since the last check, and referenced contents that are missing or
   * damaged.
   */
  async halves(): Promise<unknown[]> {
    const since = this.#lookedAt
    const found: unknown[] = []
    for (const text of halvesSince(since)) found.push(...(await this.place.query(text)))
    for (const row of await this.place.query(referredSince(since))) {
      const path = pathOf(this.files, String(row.file_hash))
      const isWhole =
        existsSync(path) && statSync(path).size === Number(row.doc_size) && sha256(readFileSync(path)) === row.file_hash
      const isSent = this.#documents.some(({ sent }) => sent.has(String(row.file_hash)))
      if (!isWhole || !isSent) found.push({ hash: row.file_hash, isWhole, isSent })
    }
    this.#lookedAt = Number((await this.place.query(LAST_ENTRY))[0]?.last_entry)
    return found
  }

  /**
   * Checks all acknowledged writes and the complete database, by collections and by the commands. The service must not
   * run.
   */
  async expectWhole(): Promise<void> {
    const service = await serveHere(this.place.flags)
    try {
      expect(await this.lost(service.address)).toEqual([])
      expect(await everLost(service.address, this.#records)).toEqual([])
      expect(await this.#documentsEverLost(service.address)).toEqual([])
    } finally {
      await service.stop()
    }
    this.#lookedAt = 0
    expect(await this.halves()).toEqual([])
    if (this.place.kind === 'sqlite') expect(integrityOf(this.place.data)).toBe('ok')
    expect(await run(['audit', 'verify', ...this.place.flags])).toMatchObject({ code: 0, stderr: '' })
    const check = await run(['files', 'check', ...this.place.flags])
    expect(check).toMatchObject({ code: 0, stdout: expect.stringMatching(SOUND), stderr: '' })
  }

  async #documentsEverLost(address: string): Promise<string[]> {
    const text = 'select document_id, revision_no, file_hash from document_revision'
    const stored = new Map(
      (await this.place.query(text)).map((row) => [`${row.document_id}/${row.revision_no}`, row.file_hash]),
    )
    const list = await call(`${address}/v1/objects/document-archive?select=id,description&limit=50000`)
    const described = new Map(
      (JSON.parse(list.text) as { id: string; description: string }[]).map(({ id, description }) => [id, description]),
    )
    return this.#documents.flatMap((client) => [
      ...client.stored
        .filter(({ id, revisionNo, hash }) => stored.get(`${id}/${revisionNo}`) !== hash)
        .map(({ id, revisionNo }) => `revision ${id}/${revisionNo}`),
      ...[...client.described].filter(([id, text]) => described.get(id) !== text).map(([id]) => `document ${id}`),
    ])
  }
}
