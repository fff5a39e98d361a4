// Records the text of every statement that runs while a test listens.
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { ReaderPool } from '../../src/store/dialects/sqlite/processes/reader-pool.ts'

type Method = (this: never, ...args: never[]) => unknown
type Patched = Record<string, Method>

export class SqlTap {
  /** Every recorded text. */
  readonly texts = new Set<string>()
  #heard: string[] | undefined
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
    this.#heard = heard
    try {
      return { result: await work(), texts: heard }
    } finally {
      this.#heard = undefined
    }
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
    // Which company a session was bound to before does not depend on the request.
    if (!this.#heard || text === undefined || text.includes('set_config')) return
    this.#heard.push(text)
    this.texts.add(text)
  }
}
