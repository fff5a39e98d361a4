// The compiled queries that a session keeps as named statements: the database reads such a text once, and plans it once
// where one plan serves all values.
import { LRUCache } from 'lru-cache'
import type { Session } from './session.ts'

/**
 * Each costs the database some 100 KB in every session; of those beyond, the one that was asked longest ago is
 * forgotten.
 */
const MOST_STATEMENTS = 100

export class PreparedQueries {
  readonly #names: LRUCache<string, string>
  #made = 0

  constructor(session: Session) {
    this.#names = new LRUCache({ max: MOST_STATEMENTS, dispose: (name) => forget(session, name) })
  }

  /** A name is never given twice, so that one which could not be forgotten stands in nobody's way. */
  nameOf(text: string): string {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    this.#made += 1
    const name = `query_${this.#made}`
    this.#names.set(text, name)
    return name
  }
}

/** What `pg` knows of the statements of a session; its types leave it out. */
interface Known {
  readonly connection: { readonly parsedStatements: Record<string, string> }
}

/** Not waited for: it runs before what the session is asked next. */
function forget(session: Session, name: string): void {
  session.query(`deallocate ${name}`).catch(() => {})
  delete (session as unknown as Known).connection.parsedStatements[name]
}
