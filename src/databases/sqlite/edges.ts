// Finds the edge of a search: whether it visits more rows than it may in this thread, and if so, the row at the limit.
import { hash } from 'node:crypto'
import type { StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { CarriedValues } from '../../base/memo.ts'
import type { BoundText, EdgeValue } from '../../sql/rows/compiled-query.ts'
import { translateRead } from './dialect/faults.ts'

/** About a hundred bytes each: a query may be long, so its hash stands for it. */
const KNOWN_EDGES = 5_000
/** How long the result "few rows" stays valid; index entries are visited faster than rows. */
const FEW_ROWS_MS = 2_000
const FEW_ENTRIES_MS = 10_000
/** An old edge remains usable: the number of rows before it changes slowly. */
const EDGE_MS = 30_000

interface Edge {
  /** Undefined: the search finds few rows. */
  readonly value: EdgeValue | undefined
  readonly until: number
}

export class Edges {
  readonly #prepare: (text: string) => StatementSync
  /** By the object that needs the edge, so that a repeated query does not compile its statement again. */
  readonly #byOwner = new CarriedValues<object, Edge & { readonly statement: BoundText }>()
  readonly #byText = new LRUCache<string, Edge>({ max: KNOWN_EDGES })

  constructor(prepare: (text: string) => StatementSync) {
    this.#prepare = prepare
  }

  /** Returns the edge, or undefined when there are few rows. */
  find(owner: object, compile: () => BoundText, isEntries: boolean) {
    const known = this.#byOwner.get(owner)
    const now = performance.now()
    if (known && now < known.until) return known.value
    const statement = known?.statement ?? compile()
    const key = hash('sha256', statement.text + JSON.stringify(statement.parameters), 'base64')
    let edge = this.#byText.get(key)
    if (!edge || now >= edge.until) {
      const value = this.#read(statement)
      const forMs = value === undefined ? (isEntries ? FEW_ENTRIES_MS : FEW_ROWS_MS) : EDGE_MS
      edge = { value, until: now + forMs }
      this.#byText.set(key, edge)
    }
    this.#byOwner.set(owner, { ...edge, statement })
    return edge.value
  }

  #read({ text, parameters }: BoundText): EdgeValue | undefined {
    try {
      const statement = this.#prepare(text)
      // An integer may exceed a JavaScript number.
      statement.setReadBigInts(true)
      const value = (statement.get(...parameters) as unknown as readonly EdgeValue[] | undefined)?.[0]
      return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
    } catch (error) {
      throw translateRead(error)
    }
  }
}
