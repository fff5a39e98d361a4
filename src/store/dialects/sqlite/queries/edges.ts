// How far a search may go here: whether it finds more rows than may be visited, and if so, the row where it has to
// stop.
import { hash } from 'node:crypto'
import type { StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { CompiledQuery, EdgeValue } from '../../../store.ts'
import { translate } from '../faults.ts'

/** Some hundred bytes each: a question may be long, so its hash stands for it. */
const KNOWN_EDGES = 5_000
/** For how long few rows are taken for few; entries of an index are visited faster. */
const FEW_ROWS_MS = 2_000
const FEW_ENTRIES_MS = 10_000
/** An edge that is old is one still: there are some more or fewer rows before it. */
const EDGE_MS = 30_000

interface Edge {
  /** Absent: few rows are found. */
  readonly value: EdgeValue | undefined
  readonly until: number
}

export class Edges {
  readonly #prepare: (text: string) => StatementSync
  /** By what asks for it, so that a question asked again does not make its statement anew. */
  readonly #byAsker = new WeakMap<
    object,
    Edge & { readonly statement: ReturnType<CompiledQuery['scanEstimate']['edge']> }
  >()
  readonly #byText = new LRUCache<string, Edge>({ max: KNOWN_EDGES })

  constructor(prepare: (text: string) => StatementSync) {
    this.#prepare = prepare
  }

  /** Nothing when there are few rows. */
  find(asker: object, compile: () => ReturnType<CompiledQuery['scanEstimate']['edge']>, isEntries: boolean) {
    const known = this.#byAsker.get(asker)
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
    this.#byAsker.set(asker, { ...edge, statement })
    return edge.value
  }

  #read({ text, parameters }: ReturnType<CompiledQuery['scanEstimate']['edge']>): EdgeValue | undefined {
    try {
      const statement = this.#prepare(text)
      // An integer may be one that no number holds.
      statement.setReadBigInts(true)
      const value = (statement.get(...parameters) as unknown as readonly EdgeValue[] | undefined)?.[0]
      return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
    } catch (error) {
      throw translate(error)
    }
  }
}
