// Records the text of every statement that runs on behalf of what a test listens to.
import { AsyncLocalStorage } from 'node:async_hooks'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { ReaderPool } from '../../src/databases/sqlite/file/reader-pool.ts'

/** Begins and ends transactions, and binds them to a company. */
const IS_BINDING = /^(begin|commit|rollback|set local )/

type Method = (this: never, ...args: never[]) => unknown
type Patched = Record<string, Method>

export class SqlTap {
  /** Every recorded text. */
  readonly texts = new Set<string>()
  /** What the service does by itself meanwhile is in none. */
  readonly #heard = new AsyncLocalStorage<string[]>()
  readonly #restore: (() => void)[] = []

  constructor() {
    const statement = Object.getPrototypeOf(new DatabaseSync(':memory:').prepare('select 1')) as Patched
    for (const name of ['get', 'all', 'run', 'iterate']) {
      this.#listen(statement, name, (self) => (self as { sourceSQL: string }).sourceSQL)
    }
    this.#listen(pg.Client.prototype as unknown as Patched, 'query', (_self, [asked]) =>
      typeof asked === 'string' ? asked : (asked as { text?: string } | undefined)?.text,
    )
    // Statements that run in reader processes.
    this.#listen(
      ReaderPool.prototype as unknown as Patched,
      'ask',
      (_self, [asked]) => (asked as { text: string }).text,
    )
  }

  /** Runs `work`; returns the texts of its statements in their order. Calls are serialized. */
  async during<T>(work: () => Promise<T>): Promise<{ result: T; texts: string[] }> {
    const heard: string[] = []
    return { result: await this.#heard.run(heard, work), texts: heard }
  }

  stop(): void {
    for (const restore of this.#restore) restore()
  }

  #listen(owner: Patched, name: string, textOf: (self: unknown, args: readonly unknown[]) => string | undefined): void {
    const original = owner[name] as Method
    const hear = (text: string | undefined) => this.#hear(text)
    owner[name] = function (this: never, ...args: never[]) {
      hear(textOf(this, args))
      return original.apply(this, args)
    }
    this.#restore.push(() => (owner[name] = original))
  }

  #hear(text: string | undefined): void {
    // Which transactions begin, and in which session, does not depend on the request.
    const heard = this.#heard.getStore()
    if (!heard || text === undefined || IS_BINDING.test(text)) return
    heard.push(text)
    this.texts.add(text)
  }
}
