// Where a query runs: in the service itself when its plan shows that it finds what it answers in an index, or when
// there is little to look through; in a reader process otherwise.
import type { Statement } from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import type { Expressions } from '../../compile/expressions.ts'
import type { CollectionQuery, CompiledQuery, Pieces, Scope } from '../../store.ts'
import type { Connection } from './connection.ts'
import { sqliteExpressions } from './expressions.ts'
import { translate } from './faults.ts'
import type { ReaderPool } from './reader-pool.ts'

/** Query texts differ in their literals' places only, so a few hundred prepared statements serve all of them. */
const PREPARED_QUERIES = 500
/** Rows that may be visited while all other requests wait: some milliseconds. */
const FEW_ROWS = 2_000
const KNOWN_SCOPES = 2_000
/** For how long a scope that was small is taken for one. */
const SCOPE_KNOWN_MS = 2_000

interface Prepared {
  readonly statement: Statement
  /** How many bounds of an index its plan searches by, when that gives the rows in their order; otherwise nothing. */
  readonly searchedBy: number | undefined
}

export class Queries {
  readonly #connection: Connection
  readonly #readers: ReaderPool
  readonly #prepared = new LRUCache<string, Prepared>({ max: PREPARED_QUERIES })
  readonly #isSmall = new LRUCache<string, boolean>({ max: KNOWN_SCOPES, ttl: SCOPE_KNOWN_MS })

  constructor(connection: Connection, readers: ReaderPool) {
    this.#connection = connection
    this.#readers = readers
  }

  async count(compile: (engine: Expressions) => CompiledQuery): Promise<number> {
    const query = compile(sqliteExpressions)
    if (this.#isScopeSmall(query.reach)) return Number(this.#run(this.#prepare(query), query))
    const { text, parameters } = query
    const pieces = await this.#readers.ask({ text, parameters, isCount: true, format: 'json', cells: [] })
    let total = ''
    for await (const piece of pieces) total += Buffer.from(piece).toString()
    return Number(total)
  }

  async collect({ format, cells, compile }: CollectionQuery): Promise<string | Pieces> {
    if (format === 'json') {
      const query = compile(sqliteExpressions, 'array')
      const prepared = this.#prepare(query)
      if (isBounded(query, prepared) || this.#isScopeSmall(query.reach)) return String(this.#run(prepared, query))
    }
    const { text, parameters } = compile(sqliteExpressions, format === 'csv' ? 'cells' : 'rows')
    return this.#readers.ask({ text, parameters, isCount: false, format, cells })
  }

  #run({ statement }: Prepared, { parameters }: CompiledQuery): unknown {
    try {
      return statement.get(...parameters)
    } catch (error) {
      throw translate(error)
    }
  }

  #prepare({ text, parameters }: CompiledQuery): Prepared {
    const known = this.#prepared.get(text)
    if (known) return known
    const statement = this.#connection.prepare(text).pluck()
    const steps = this.#connection.prepare(`explain query plan ${text}`).all(...parameters) as { detail: string }[]
    const prepared = { statement, searchedBy: searchedBy(steps.map(({ detail }) => detail)) }
    this.#prepared.set(text, prepared)
    return prepared
  }

  #isScopeSmall({ table, scope }: CompiledQuery['reach']): boolean {
    const key = JSON.stringify([table, scope])
    const known = this.#isSmall.get(key)
    if (known !== undefined) return known
    const isSmall = !this.#hasMoreThan(FEW_ROWS, table, scope)
    this.#isSmall.set(key, isSmall)
    return isSmall
  }

  #hasMoreThan(rows: number, table: string, scope: Scope): boolean {
    const quoted = (name: string) => name.split('.').map(sqliteExpressions.quote).join('.')
    const where = scope.map(([column, value]) => {
      const places = [value].flat().map(() => '?')
      return `${sqliteExpressions.quote(column)} in (${places.join(', ')})`
    })
    const text = `select 1 from ${quoted(table)} where ${where.join(' and ')} limit 1 offset ${rows}`
    const parameters = scope.flatMap(([, value]) => value)
    return this.#connection.prepare(text).get(...parameters) !== undefined
  }
}

function isBounded({ reach }: CompiledQuery, { searchedBy: found }: Prepared): boolean {
  return reach.most <= FEW_ROWS && reach.terms !== undefined && found !== undefined && found >= reach.terms
}

/** Reads a query plan: a search of the document's own table (`t`) in the order that is wanted, and no scan of any other. */
function searchedBy(steps: readonly string[]): number | undefined {
  let bounds: number | undefined
  for (const step of steps) {
    if (step.startsWith('USE TEMP B-TREE')) return undefined
    if (step.startsWith('SCAN') && !/^SCAN (\(|i\d+ VIRTUAL TABLE)/.test(step)) return undefined
    const own = /^SEARCH t USING .*\((.*)\)/.exec(step)
    if (own) bounds = (own[1]?.split(' AND ') ?? []).length
  }
  return bounds
}
