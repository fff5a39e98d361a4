import { chmodSync, createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { addressOf, type Server } from '../postgres/server.ts'
import { ledgerLines } from '../records/ledger.ts'
import type { Scale } from '../records/scale.ts'
import { COLUMNS, rowOf, TABLE } from './columns.ts'
import type { LedgerDatabase } from './ledger-database.ts'

const ROWS_AT_ONCE = 1_000
const INDEXES = `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as text
  from pg_index where indrelid = '${TABLE}'::regclass and not indisprimary`
const SIZES = `select '${TABLE}' as name, pg_relation_size('${TABLE}') as bytes
  union all select indexrelid::regclass::text, pg_relation_size(indexrelid)
  from pg_index where indrelid = '${TABLE}'::regclass`

export class PostgresLedger implements LedgerDatabase {
  readonly name = 'PostgreSQL'
  readonly settings: readonly string[]
  readonly helper: number
  readonly #server: Server
  readonly #database: string
  readonly #folder: string

  /** `folder` is one that the database server can read. */
  constructor(server: Server, database: string, folder: string) {
    this.settings = ['--database', addressOf(database)]
    this.helper = server.processId
    this.#server = server
    this.#database = database
    this.#folder = folder
  }

  async fill(scale: Scale): Promise<void> {
    const file = join(this.#folder, `${this.#database}.csv`)
    await pipeline(Readable.from(pieces(scale)), createWriteStream(file))
    chmodSync(file, 0o644)
    await this.#run(async (client) => {
      const { rows } = await client.query<{ name: string; text: string }>(INDEXES)
      for (const { name } of rows) await client.query(`drop index ${name}`)
      // An empty text is no null.
      await client.query(`copy ${TABLE} (${COLUMNS}) from '${file}' (format csv, null 'NULL')`)
      await client.query("set maintenance_work_mem = '256MB'")
      for (const { text } of rows) await client.query(text)
      // Index-only scans need the visibility map.
      await client.query(`vacuum analyze ${TABLE}`)
    })
    rmSync(file)
  }

  sizes(): Promise<[string, number][]> {
    return this.#run(async (client) => {
      const { rows } = await client.query<{ name: string; bytes: string }>(SIZES)
      return rows.map(({ name, bytes }) => [name, Number(bytes)])
    })
  }

  remove(): Promise<void> {
    return this.#server.administer(`drop database ${this.#database} with (force)`)
  }

  /** As the superuser, who may read the file and every company. */
  async #run<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.#server.superuserAddress(this.#database) })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
}

/** No cell needs quotes. */
function* pieces(scale: Scale): Generator<string> {
  let piece: string[] = []
  for (const line of ledgerLines(scale)) {
    piece.push(rowOf(line, (amount) => amount).join(','))
    if (piece.length < ROWS_AT_ONCE) continue
    yield `${piece.join('\n')}\n`
    piece = []
  }
  if (piece.length > 0) yield `${piece.join('\n')}\n`
}
