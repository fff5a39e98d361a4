// The names of the statements that a session has prepared, and what each of its transactions sets first.

import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { getOrInsert } from '../../../base/memo.ts'
import { deallocate, prepare, type Step } from './pipelined-query.ts'

/** How the statements of a session are sent. */
export interface SessionStatements {
  /** The name under which a text is prepared, or will be when it is sent; undefined where nothing stays prepared. */
  nameOf(text: string, fixedName?: string): string | undefined
  /** Whether a text was asked for not long ago, so that it pays to plan it for all values. */
  isFrequent(text: string): boolean
  /** A statement that sets something, or begins or ends a transaction. */
  step(text: string): Step
  /** Whether the next transaction may have another session of the database. */
  readonly isPooled: boolean
  /** What a transaction sets first, where the session does not keep it. */
  readonly limits: readonly string[]
}

/** Each costs the database about 100 KB per session; beyond the limit the least recently used one is deallocated. */
const MAX_STATEMENTS = 100
/** Each costs a few KB. A company has two of them. */
const MAX_STEPS = 400

/**
 * The statements of a session of our own: the database parses such a text once, and plans it once where a generic plan
 * serves all values.
 */
export class PreparedStatements implements SessionStatements {
  readonly isPooled = false
  readonly limits = []
  readonly #session: pg.ClientBase
  readonly #queries: LRUCache<string, string>
  readonly #steps: LRUCache<string, Required<Step>>
  readonly #asked = new LRUCache<string, true>({ max: MAX_STATEMENTS })
  #count = 0

  constructor(session: pg.ClientBase) {
    this.#session = session
    this.#queries = new LRUCache({ max: MAX_STATEMENTS, dispose: (name) => deallocate(session, name) })
    this.#steps = new LRUCache({ max: MAX_STEPS, dispose: ({ name }) => deallocate(session, name) })
  }

  /** A name is never reused, so that a statement whose deallocation failed causes no conflict. */
  nameOf(text: string, fixedName?: string): string {
    if (fixedName !== undefined) return fixedName
    return getOrInsert(this.#queries, text, () => this.#newName('query'))
  }

  isFrequent(text: string): boolean {
    if (this.#asked.get(text)) return true
    this.#asked.set(text, true)
    return false
  }

  step(text: string): Step {
    return getOrInsert(this.#steps, text, () => {
      const step = { name: this.#newName('step'), text }
      prepare(this.#session, step)
      return step
    })
  }

  #newName(kind: string): string {
    this.#count += 1
    return `${kind}_${this.#count}`
  }
}

/** The statements of a session that a pooler may hand to others after each transaction: nothing stays in it. */
export class UnnamedStatements implements SessionStatements {
  readonly isPooled = true
  readonly limits: readonly string[]

  constructor(limits: readonly string[] = []) {
    this.limits = limits
  }

  nameOf(): undefined {}

  isFrequent(): boolean {
    return false
  }

  step(text: string): Step {
    return { text }
  }
}
