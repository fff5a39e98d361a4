// The queries that a session has as named prepared statements: the database parses such a text once, and plans it once
// where a generic plan serves all values.
import { LRUCache } from 'lru-cache'
import type { Session } from './session.ts'

/** Each costs the database about 100 KB per session; beyond the limit the least recently used one is deallocated. */
const MAX_STATEMENTS = 100

export class PreparedQueries {
  readonly #names: LRUCache<string, string>
  #count = 0

  constructor(session: Session) {
    this.#names = new LRUCache({ max: MAX_STATEMENTS, dispose: (name) => deallocate(session, name) })
  }

  /** A name is never reused, so that a statement whose deallocation failed causes no conflict. */
  nameOf(text: string): string {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    this.#count += 1
    const name = `query_${this.#count}`
    this.#names.set(text, name)
    return name
  }
}

/** The prepared statements that `pg` tracks for a session; its types omit them. */
interface TrackedStatements {
  readonly connection: { readonly parsedStatements: Record<string, string> }
}

/** Not awaited: it runs before the session's next statement. */
function deallocate(session: Session, name: string): void {
  session.query(`deallocate ${name}`).catch(() => {})
  delete (session as unknown as TrackedStatements).connection.parsedStatements[name]
}
