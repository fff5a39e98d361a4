// The rows of a document in a company, in the order of their keys: those of the beginning, which are made when they
// are asked for, and over them what has been written since.
import { type Cut, compareKeys, isBelow } from './cut.ts'
import { type Base, type Key, type Kind, propertyAt, type Row, timeOf, valueAt } from './kind.ts'

/** A row: its place in the base, or as it has been written. Rows are never changed, but replaced. */
export type Ref = number | Row

/** How texts are compared: by their code points, or without regard to case, as most databases of ERPs do. */
export type Collation = 'code-point' | 'no-case'

interface Extra {
  /** How many rows of the base are before it. */
  readonly at: number
  readonly key: Key
  row: Row
}

export class Table {
  readonly kind: Kind
  readonly #base: Base
  readonly #collation: Collation
  /** What has become of rows of the base; null: removed. */
  readonly #changed = new Map<number, Row | null>()
  #extras: Extra[] = []
  #removed = 0
  #byTime: Uint32Array | undefined

  constructor(kind: Kind, base: Base, collation: Collation) {
    this.kind = kind
    this.#base = base
    this.#collation = collation
  }

  get size(): number {
    return this.#base.size - this.#removed + this.#extras.length
  }

  get tellsTime(): boolean {
    return this.#base.updatedAt !== undefined
  }

  collated(value: string | number): string | number {
    return this.#collation === 'no-case' && typeof value === 'string' ? value.toUpperCase() : value
  }

  rowOf(ref: Ref): Row {
    return typeof ref === 'number' ? this.#base.row(ref) : ref
  }

  keyOf(ref: Ref): Key {
    return typeof ref === 'number' ? this.#base.key(ref).map((value) => this.collated(value)) : this.keyIn(ref)
  }

  /** The key of a row or of members that name one. */
  keyIn(row: Row): Key {
    return this.kind.key.map((name) => {
      const type = propertyAt(this.kind.shape, [name])!.property.type
      const value = row[name]
      if (type === 'date-time') return timeOf(value)
      return type === 'integer' ? Number(value) : this.collated(String(value ?? ''))
    })
  }

  /** When a row was changed, in milliseconds. */
  updatedAt(ref: Ref): number {
    if (typeof ref === 'number') return this.#base.updatedAt?.(ref) ?? Number.NaN
    return timeOf(valueAt(ref, ['lastUpdated', 'updatedAt']))
  }

  find(key: Key): Row | undefined {
    const at = this.#basePlace({ parts: key, isAfter: false })
    if (at < this.#base.size && compareKeys(this.keyOf(at), key) === 0) {
      const changed = this.#changed.get(at)
      return changed === null ? undefined : (changed ?? this.#base.row(at))
    }
    const extra = this.#extras[this.#extrasPlace({ parts: key, isAfter: false })]
    return extra && compareKeys(extra.key, key) === 0 ? extra.row : undefined
  }

  /** Writes a row in place of the one with its key, if there is one. */
  write(row: Row): void {
    const key = this.keyIn(row)
    const at = this.#basePlace({ parts: key, isAfter: false })
    if (at < this.#base.size && compareKeys(this.keyOf(at), key) === 0) {
      if (this.#changed.get(at) === null) this.#removed -= 1
      this.#changed.set(at, row)
      return
    }
    const place = this.#extrasPlace({ parts: key, isAfter: false })
    const extra = this.#extras[place]
    if (extra && compareKeys(extra.key, key) === 0) extra.row = row
    else this.#extras.splice(place, 0, { at, key, row })
  }

  /** Whether there was such a row. */
  remove(key: Key): boolean {
    const at = this.#basePlace({ parts: key, isAfter: false })
    if (at < this.#base.size && compareKeys(this.keyOf(at), key) === 0) {
      if (this.#changed.get(at) === null) return false
      this.#changed.set(at, null)
      this.#removed += 1
      return true
    }
    const place = this.#extrasPlace({ parts: key, isAfter: false })
    const extra = this.#extras[place]
    if (!extra || compareKeys(extra.key, key) !== 0) return false
    this.#extras.splice(place, 1)
    return true
  }

  /** The rows between two cuts, in the order of their keys. */
  *between(low?: Cut, high?: Cut): Generator<Ref> {
    let at = low ? this.#basePlace(low) : 0
    let extraAt = low ? this.#extrasPlace(low) : 0
    const end = high ? this.#basePlace(high) : this.#base.size
    const extrasEnd = high ? this.#extrasPlace(high) : this.#extras.length
    while (at < end || extraAt < extrasEnd) {
      const extra = extraAt < extrasEnd ? this.#extras[extraAt] : undefined
      if (extra && (at >= end || extra.at <= at)) {
        extraAt += 1
        yield extra.row
        continue
      }
      const changed = this.#changed.get(at)
      if (changed !== null) yield changed ?? at
      at += 1
    }
  }

  /** The rows that were changed at or after a moment, in any order. */
  *changedSince(ms: number): Generator<Ref> {
    const order = this.#orderByTime()
    let [low, high] = [0, order.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.updatedAt(order[middle]!) < ms) low = middle + 1
      else high = middle
    }
    for (const at of order.subarray(low)) if (!this.#changed.has(at)) yield at
    for (const row of this.#changed.values()) if (row && this.updatedAt(row) >= ms) yield row
    for (const { row } of this.#extras) if (this.updatedAt(row) >= ms) yield row
  }

  #orderByTime(): Uint32Array {
    const { size } = this.#base
    const times = this.#byTime ? undefined : Float64Array.from({ length: size }, (_, at) => this.updatedAt(at))
    this.#byTime ??= Uint32Array.from({ length: size }, (_, at) => at).sort((a, b) => times![a]! - times![b]!)
    return this.#byTime
  }

  /** How many rows of the base are below a cut. */
  #basePlace(cut: Cut): number {
    return firstNot(this.#base.size, (at) => isBelow(this.keyOf(at), cut))
  }

  #extrasPlace(cut: Cut): number {
    return firstNot(this.#extras.length, (at) => isBelow(this.#extras[at]!.key, cut))
  }
}

/** The first number for which it does not hold, where it holds for all before. */
function firstNot(size: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, size]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}
