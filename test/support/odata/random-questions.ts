// Random questions in two languages at once: as OData's query options, and as those of /v1/objects. What both say is the
// same; where the languages differ in meaning (`null`), the second text says what OData means.
import type { Properties, ValueProperty, ValueType } from '../../../src/model/document.ts'

export interface Question {
  readonly odata: Readonly<Record<string, string>>
  /** Without options that are not given. */
  readonly objects: Readonly<Record<string, string>>
}

/** A text in both languages. */
interface Both {
  readonly odata: string
  readonly objects: string
}

interface Place extends Both {
  readonly property: ValueProperty
  readonly samples: readonly unknown[]
  /** Whether it is a path through an association. */
  readonly isFar: boolean
}

interface ListPlace extends Both {
  readonly inside: readonly Place[]
}

interface Inside {
  readonly values: readonly Place[]
  readonly lists: readonly ListPlace[]
}

type Row = Readonly<Record<string, unknown>>

/** `own` and `named`: the same properties in the same order, under the names of both languages. */
export interface Described {
  readonly own: Properties
  readonly named: Properties
  /** Records as answers have them, for values that are found. */
  readonly records: readonly Row[]
}

const both = (text: string): Both => ({ odata: text, objects: text })
const join = (parts: readonly (Both | string)[]): Both => ({
  odata: parts.map((part) => (typeof part === 'string' ? part : part.odata)).join(''),
  objects: parts.map((part) => (typeof part === 'string' ? part : part.objects)).join(''),
})

const TRUE: Both = { odata: 'true', objects: '1 eq 1' }
const FALSE: Both = { odata: 'false', objects: '1 eq 2' }
/** A word that no answer has: `null` is the value of no record. */
const NULL_IS = { eq: FALSE, ne: TRUE, gt: FALSE, ge: FALSE, lt: FALSE, le: FALSE } as const
const COMPARISONS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const
const TEXTS = ['', 'a', 'Oslo', "O'Brien", 'nord', '%', '_', '\u00c5', '1001', 'x y', '"', 'null']
const NUMBERS = ['0', '1', '-1', '0.5', '12.5', '100', '-1e2', '202601', '9007199254740993', '99999999999999.99995']
const MOMENTS = ['1900-01-01T00:00:00.000Z', '2026-01-02T03:04:05.678Z', '2026-01-15T00:00:00Z', '2099-12-31T00:00:00Z']
const NUMERIC: readonly ValueType[] = ['integer', 'number', 'decimal', 'exact']

export class RandomQuestions {
  readonly #random: () => number
  readonly #described: Described
  readonly #inside: Inside

  constructor(random: () => number, described: Described) {
    this.#random = random
    this.#described = described
    this.#inside = insideOf(described.own, described.named, described.records, both(''), false)
  }

  next(): Question {
    return this.#chance(0.15) ? this.#groups() : this.#records()
  }

  #records(): Question {
    const filter = this.#chance(0.85) ? this.#condition(this.#inside, [], 3) : undefined
    const select = this.#select()
    const skip = this.#chance(0.3) ? String(this.#below(8)) : undefined
    const top = this.#chance(0.5) ? String(1 + this.#below(30)) : undefined
    const orders = Array.from({ length: this.#below(3) }, () => this.#order(this.#inside.values))
    return asked({
      $filter: filter,
      $select: select,
      $orderby: orders.length === 0 ? undefined : join(separated(orders)),
      $skip: skip === undefined ? undefined : both(skip),
      $top: top === undefined ? undefined : both(top),
    })
  }

  #groups(): Question {
    const usable = this.#inside.values.filter(({ property }) => property.filterable)
    const groups = [...new Set(Array.from({ length: 1 + this.#below(2) }, () => this.#pick(usable)))]
    const numeric = usable.filter(({ property }) => NUMERIC.includes(property.type))
    const results = [both('$count as n')]
    if (numeric.length > 0) {
      const place = this.#pick(numeric)
      const method = this.#pick(['sum', 'min', 'max', 'average', 'countdistinct'])
      results.push({
        odata: `${place.odata} with ${method} as x1`,
        objects: `${method}(${place.objects}) as x1`,
      })
    }
    const where = this.#chance(0.5) ? this.#condition({ ...this.#inside, lists: [] }, [], 1) : undefined
    const having = this.#chance(0.5) ? `n ${this.#pick(COMPARISONS)} ${this.#below(4)}` : undefined
    const isStep = having !== undefined && this.#chance(0.5)
    const groupBy = groups.map(({ odata }) => odata).join(',')
    const step = `groupby((${groupBy}),aggregate(${results.map(({ odata }) => odata).join(',')}))`
    const before = where ? `filter(${where.odata})/` : ''
    const order = this.#chance(0.5) ? `n desc,${groups[0]?.odata}` : undefined
    return {
      odata: defined({
        $apply: `${before}${step}${isStep ? `/filter(${having})` : ''}`,
        $filter: isStep ? undefined : having,
        $orderby: order,
      }),
      objects: defined({
        $filter: where?.objects,
        $groupby: groups.map(({ objects }) => objects).join(','),
        $aggregate: ['count() as n', ...results.slice(1).map(({ objects }) => objects)].join(','),
        $having: having,
        $orderby: order === undefined ? undefined : `n desc,${groups[0]?.objects}`,
      }),
    }
  }

  #condition(inside: Inside, items: readonly Place[], depth: number): Both {
    const roll = depth === 0 ? 0 : this.#random()
    if (roll < 0.5) return this.#leaf(items.length > 0 && this.#chance(0.8) ? items : inside.values, inside.values)
    const inner = () => this.#condition(inside, items, depth - 1)
    if (roll < 0.62) return join(['(', inner(), ') and (', inner(), ')'])
    if (roll < 0.72) return join(['(', inner(), ') or (', inner(), ')'])
    if (roll < 0.82) return join(['not (', inner(), ')'])
    if (inside.lists.length === 0 || items.length > 0) return join([inner(), ' and ', this.#leaf(inside.values, [])])
    const list = this.#pick(inside.lists)
    const own = list.inside.map((one) => ({ ...one, ...join(['x/', one]) }))
    const kind = this.#pick(['any', 'all'])
    if (kind === 'any' && this.#chance(0.15)) return join([list, '/any()'])
    return join([list, `/${kind}(x:`, this.#condition({ ...inside, lists: [] }, own, depth - 1), ')'])
  }

  #leaf(places: readonly Place[], others: readonly Place[]): Both {
    if (this.#chance(0.04)) return this.#pick([TRUE, FALSE])
    const place = this.#pick(places.filter(({ property }) => property.filterable))
    const op = this.#pick(COMPARISONS)
    const roll = this.#random()
    if (roll < 0.06) return { ...NULL_IS[op], odata: `${place.odata} ${op} null` }
    if (roll < 0.16) {
      const values = Array.from({ length: 1 + this.#below(3) }, () => this.#literal(place)).join(', ')
      return join([place, ` in (${values})`])
    }
    if (roll < 0.24) {
      const alike = others.filter((one) => one.property.type === place.property.type && one.property.filterable)
      if (alike.length > 0) return join([place, ` ${op} `, this.#pick(alike)])
    }
    if (place.property.type === 'boolean' && roll < 0.6) return place
    if (place.property.type === 'string' && roll < 0.7) return this.#textual(place)
    if (place.property.type === 'date-time' && roll < 0.6) return this.#dated(place, op)
    if (roll > 0.93) return join([this.#literal(place), ` ${op} `, place])
    return join([place, ` ${op} ${this.#literal(place)}`])
  }

  #textual(place: Place): Both {
    const folded = this.#chance(0.4) ? join([`${this.#pick(['tolower', 'toupper', 'trim'])}(`, place, ')']) : place
    if (this.#chance(0.2)) return join(['length(', folded, `) ${this.#pick(COMPARISONS)} ${this.#below(12)}`])
    const sample = String(this.#chance(0.6) ? (this.#pick(place.samples) ?? '') : this.#pick(TEXTS))
    const letters = [...sample]
    const from = this.#below(letters.length + 1)
    const part = quoted(letters.slice(from, from + 1 + this.#below(4)).join(''))
    const call = join([`${this.#pick(['contains', 'startswith', 'endswith'])}(`, folded, `,${part})`])
    return this.#chance(0.1) ? join([call, ' eq false']) : call
  }

  #dated(place: Place, op: string): Both {
    if (this.#chance(0.4)) return join(['date(', place, `) ${op} ${this.#moment(place).slice(0, 10)}`])
    const part = this.#pick(['year', 'month', 'day'])
    const value = part === 'year' ? this.#pick([1900, 2025, 2026, 2099]) : 1 + this.#below(12)
    return join([`${part}(`, place, `) ${op} ${value}`])
  }

  #literal(place: Place): string {
    const sample = this.#chance(0.6) ? this.#pick(place.samples) : undefined
    switch (place.property.type) {
      case 'string':
        return quoted(String(sample ?? this.#pick(TEXTS)))
      case 'boolean':
        return this.#pick(['true', 'false'])
      case 'date-time':
        return this.#moment(place)
      case 'integer':
      case 'number':
        return sample === undefined ? this.#pick(NUMBERS.filter((one) => one.length < 10)) : String(sample)
      default:
        return this.#pick(NUMBERS)
    }
  }

  #moment({ samples }: Place): string {
    const text = String((this.#chance(0.6) ? this.#pick(samples) : undefined) ?? this.#pick(MOMENTS))
    return /^\d{4}-\d{2}-\d{2}T/.test(text) ? text : (MOMENTS[0] ?? '')
  }

  #order(places: readonly Place[]): Both {
    return join([this.#pick(places), this.#pick(['', ' asc', ' desc'])])
  }

  /** Always given: without it, the answers of the two differ. */
  #select(): Both {
    const { own, named } = this.#described
    const names = Object.keys(own)
    const kept = names.flatMap((name, at): Both[] => {
      const property = own[name]
      const odata = Object.keys(named)[at] ?? ''
      if (!property || property.kind === 'list' || property.kind === 'association' || this.#chance(0.6)) return []
      if (property.kind === 'group') {
        if (property.isComplex || this.#chance(0.5)) return [{ odata, objects: everythingOf(name, property) }]
        const inner = this.#pick(Object.keys(property.properties))
        const one = property.properties[inner]
        return one?.kind === 'value' ? [{ odata: `${odata}/${inner}`, objects: `${name}/${inner}` }] : []
      }
      if (!property.codes) return [{ odata, objects: name }]
      return [
        this.#pick([
          { odata, objects: name },
          { odata: `${odata}_text`, objects: `${name}[T]` },
          { odata: `${odata}_text,${odata}`, objects: `${name}[C;T]` },
        ]),
      ]
    })
    const plain = names.findIndex((name) => own[name]?.kind === 'value')
    const first = { odata: Object.keys(named)[plain] ?? '', objects: names[plain] ?? '' }
    return join(separated(kept.length === 0 ? [first] : kept))
  }

  #chance(probability: number): boolean {
    return this.#random() < probability
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)] as Item
  }
}

/** A whole group with the texts of its codes, as OData answers it. */
function everythingOf(name: string, property: Properties[string]): string {
  if (property.kind !== 'group') return property.kind === 'value' && property.codes ? `${name}[C;T]` : name
  const inside = Object.entries(property.properties).filter(([, { kind }]) => kind === 'value' || kind === 'group')
  return `${name}(${inside.map(([inner, one]) => everythingOf(inner, one)).join(',')})`
}

function insideOf(own: Properties, named: Properties, rows: readonly Row[], above: Both, isFar: boolean): Inside {
  const parts = Object.entries(own).map(([name, property], at): Inside => {
    const path = join([above, { odata: Object.keys(named)[at] ?? '', objects: name }])
    const found = rows.map((row) => row?.[name])
    const same = Object.values(named)[at]
    if (property.kind === 'value') {
      const samples = found.filter((one) => one !== undefined)
      return { values: [{ ...path, property, samples, isFar }], lists: [] }
    }
    if (property.kind === 'group' && same?.kind === 'group') {
      return insideOf(property.properties, same.properties, found as Row[], join([path, '/']), isFar)
    }
    if (property.kind === 'list' && same?.kind === 'list') {
      const items = (found as Row[][]).flat().filter((one) => one !== undefined)
      return {
        values: [],
        lists: [{ ...path, inside: insideOf(property.properties, same.properties, items, both(''), false).values }],
      }
    }
    if (property.kind === 'association' && same?.kind === 'association' && !isFar) {
      const { values } = insideOf(property.document.properties, same.document.properties, [], join([path, '/']), true)
      return { values, lists: [] }
    }
    return { values: [], lists: [] }
  })
  return { values: parts.flatMap(({ values }) => values), lists: parts.flatMap(({ lists }) => lists) }
}

function separated(parts: readonly Both[]): (Both | string)[] {
  return parts.flatMap((part, at) => (at === 0 ? [part] : [',', part]))
}

const quoted = (text: string) => `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`

function asked(options: Readonly<Record<string, Both | undefined>>): Question {
  const given = Object.entries(options).filter((one): one is [string, Both] => one[1] !== undefined)
  return {
    odata: Object.fromEntries(given.map(([name, { odata }]) => [name, odata])),
    objects: Object.fromEntries(given.map(([name, { objects }]) => [name, objects])),
  }
}

function defined(options: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  )
}
