// A data folder, and on PostgreSQL a database, for tests of commands: the service on them is started and stopped.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import type { Rows } from './direct-connection.ts'
import { addJournalView } from './journal-view.ts'
import {
  call,
  credentials,
  type Folder,
  kill,
  run,
  type Serving,
  type ServingHere,
  serve,
  serveHere,
  temporaryFolder,
} from './process.ts'
import { asSuperuser, newDatabase, queryOn } from './test-database.ts'
import type { StoreKind } from './world.ts'

/** The folder and the database of one test, with a service on them that comes and goes. */
export class Place {
  readonly folder: Folder = temporaryFolder()
  readonly #database: string | undefined
  #serving: Serving | undefined
  #servingHere: ServingHere | undefined

  private constructor(database: string | undefined) {
    this.#database = database
  }

  static async make(kind: StoreKind, setup: string): Promise<Place> {
    const place = new Place(kind === 'postgres' ? await newDatabase() : undefined)
    expect(await run(['setup', setup, ...place.options])).toMatchObject({ code: 0 })
    return place
  }

  /** A place of the same kind, with nothing in it. */
  async emptyPlace(): Promise<Place> {
    return new Place(this.#database === undefined ? undefined : await newDatabase())
  }

  get kind(): StoreKind {
    return this.#database === undefined ? 'sqlite' : 'postgres'
  }

  get options(): string[] {
    return ['--data', this.folder.path, ...(this.#database === undefined ? [] : ['--database', this.#database])]
  }

  /** Serves in this process. */
  async up(): Promise<void> {
    this.#servingHere = await serveHere(this.options)
  }

  /** Serves in a process of its own, beside which commands may run, and which can be killed. */
  async upAsProcess(): Promise<void> {
    this.#serving = await serve([...this.options, '--shutdown-grace', '0'])
  }

  async down(): Promise<void> {
    await this.#servingHere?.stop()
    this.#servingHere = undefined
    this.#serving?.child.kill('SIGTERM')
    await this.#serving?.ended
    this.#serving = undefined
  }

  get address(): string {
    return (this.#servingHere ?? this.#serving)?.address ?? ''
  }

  async send(method: string, path: string, body?: unknown, companyId = 'EN', headers: Record<string, string> = {}) {
    const url = `${this.address}/v1/${path}${path.includes('?') ? '&' : '?'}companyId=${companyId}`
    return call(url, { method, headers, ...(body === undefined ? {} : { body }) })
  }

  /** Sends a body that is no JSON. */
  async sendText(path: string, body: string, type: string) {
    const headers = { authorization: credentials, 'content-type': type }
    const answer = await fetch(`${this.address}/v1/${path}`, { method: 'POST', headers, body })
    return { status: answer.status, text: await answer.text() }
  }

  /** Kills the service, like a power failure. */
  async kill(): Promise<void> {
    if (this.#serving) await kill(this.#serving)
    this.#serving = undefined
  }

  async remove(): Promise<void> {
    await this.down()
    this.folder.remove()
  }

  run(...args: string[]) {
    return run([...args, ...this.options])
  }

  /** Runs a statement on the database, bypassing the service; returns its rows. */
  async sql(text: string): Promise<Rows> {
    if (this.#database !== undefined) return queryOn(asSuperuser(this.#database), text)
    // The service may be another process.
    const connection = new DatabaseSync(join(this.folder.path, 'tabularium.db'), { timeout: 10_000 })
    addJournalView(connection)
    try {
      return connection.prepare(text).all() as Rows
    } finally {
      connection.close()
    }
  }

  /** All files of the service: database with its log, contents, everything else in the data folder. */
  async storedFiles(): Promise<string[]> {
    const folders = [this.folder.path]
    if (this.#database !== undefined) {
      await this.sql('checkpoint')
      const [row] = await this.sql(`select current_setting('data_directory') || '/base/' || oid as folder
        from pg_database where datname = current_database()`)
      folders.push(String(row?.folder))
    }
    return folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    )
  }

  contents(): string[] {
    const root = join(this.folder.path, 'files')
    if (!existsSync(root)) return []
    return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /[0-9a-f]{64}$/.test(name))
  }
}

/** Sends the requests in order; each must succeed. */
export async function sendAll(place: Place, requests: readonly (readonly [string, string, unknown?, string?])[]) {
  const answers: Awaited<ReturnType<Place['send']>>[] = []
  for (const [method, path, body, company] of requests) {
    const answer = await place.send(method, path, body, company)
    expect([path, answer.status, answer.status < 300 ? '' : answer.text]).toEqual([path, answer.status, ''])
    answers.push(answer)
  }
  return answers
}

export const idOf = ({ text }: { text: string }): string => JSON.parse(text).id
