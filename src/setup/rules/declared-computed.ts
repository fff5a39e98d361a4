// What the expressions of a document name: its properties, other computed ones, and its lines.
import { didYouMean, foldName } from '../../base/text.ts'
import {
  type LinesProperty,
  list,
  type Source,
  type Term,
  type Titles,
  type ValueProperty,
  value,
} from '../../model/document.ts'
import { type DocumentSetup, type ListSetup, LONGEST_TEXT, type PropertySetup } from '../file/document-schema.ts'
import {
  columnAt,
  isComputed,
  isLinesSetup,
  listColumnOf,
  namesIn,
  propertyAt,
  scaleOf,
  simpleProperties,
} from './declared-properties.ts'
import { MalformedExpression, readExpression, type Scope } from './expression.ts'

/** The documents whose records are lines. */
export interface LinesFinder {
  declarationOf(name: string): DocumentSetup | undefined
  /** The lines with this name; undefined for those of an unknown document. */
  linesOf(document: DocumentSetup, name: string): LinesProperty | undefined
}

/** What is wrong with a computed property; `property`: the document and the name of the one whose own text is wrong. */
export class NotComputable extends Error {
  override readonly name = 'NotComputable'
  readonly property: string

  constructor(property: string, cause: MalformedExpression) {
    super(cause.message, { cause })
    this.property = property
  }
}

/** The term of a computed property. Throws NotComputable. */
export function computedTerm(document: DocumentSetup, name: string, finder: LinesFinder): Term {
  return new DeclaredScope(document, finder, []).computed(name)
}

/** A computed property; undefined where a document of its lines is unknown. */
export function computedProperty(
  document: DocumentSetup,
  name: string,
  finder: LinesFinder,
): ValueProperty | undefined {
  const declared = document.properties[name]
  if (!isComputed(declared)) return undefined
  try {
    const term = computedTerm(document, name, finder)
    return value(
      term.type,
      { computed: term },
      {
        description: described(declared.computed),
        ...namesIn(declared),
        ...(term.type === 'exact' ? { scale: term.scale } : {}),
        ...(term.type === 'string' ? { maxLength: term.maxLength } : {}),
      },
    )
  } catch (error) {
    if (error instanceof NotComputable) return undefined
    throw error
  }
}

const described = (formula: string): Titles => ({
  EN: `Computed: ${formula}.`,
  NO: `Beregnet: ${formula}.`,
  SV: `Ber\u00e4knat: ${formula}.`,
  DE: `Berechnet: ${formula}.`,
})

/** The types of properties that something is computed of. */
const TYPES: ReadonlySet<string> = new Set(['string', 'integer', 'decimal', 'date-time'])

class DeclaredScope implements Scope {
  readonly #document: DocumentSetup
  readonly #finder: LinesFinder
  /** The computed properties that are being read, each with its document. */
  readonly #above: readonly string[]

  constructor(document: DocumentSetup, finder: LinesFinder, above: readonly string[]) {
    this.#document = document
    this.#finder = finder
    this.#above = above
  }

  computed(name: string): Term {
    const declared = this.#document.properties[name]
    if (!isComputed(declared)) throw new Error(`${name} is not computed`)
    const key = `${this.#document.name}/${name}`
    try {
      const start = this.#above.indexOf(key)
      if (start >= 0) {
        const circle = [...this.#above.slice(start), key].map((one) => one.slice(one.indexOf('/') + 1))
        throw new MalformedExpression(`it is computed of itself: ${circle.join(' of ')}`)
      }
      return readExpression(declared.computed, new DeclaredScope(this.#document, this.#finder, [...this.#above, key]))
    } catch (error) {
      throw error instanceof MalformedExpression ? new NotComputable(key, error) : error
    }
  }

  property(path: string): Term {
    const common = { kind: 'property', path: foldName(path) } as const
    if (isComputed(this.#document.properties[path])) {
      const term = this.computed(path)
      return { ...common, source: { computed: term }, type: term.type, scale: term.scale, maxLength: term.maxLength }
    }
    const property = propertyAt(this.#document, path)
    if (!property) throw this.#unknown(path)
    return valueTerm(path, property, { column: columnAt(this.#document, path) })
  }

  lines(name: string): ReturnType<Scope['lines']> {
    const declared = Object.hasOwn(this.#document.properties, name) ? this.#document.properties[name] : undefined
    if (declared && 'list' in declared) {
      const items = list({}, { json: listColumnOf(name) })
      return { path: foldName(name), lines: items, scope: new ItemScope(name, declared.list) }
    }
    if (!isLinesSetup(declared))
      throw new MalformedExpression(`'${name}' is no list and no lines of ${this.#document.name}`)
    const document = this.#finder.declarationOf(declared.items)
    const lines = document && this.#finder.linesOf(this.#document, name)
    if (!lines) throw new MalformedExpression(`there is no document '${declared.items}'`)
    return { path: foldName(name), lines, scope: new DeclaredScope(document, this.#finder, this.#above) }
  }

  #unknown(path: string): MalformedExpression {
    const { properties } = this.#document
    const computed = Object.keys(properties).filter((name) => isComputed(properties[name]))
    const known = [...simpleProperties(this.#document).map(({ names }) => names.join('/')), ...computed]
    const { name } = this.#document
    return new MalformedExpression(`${name} has no property '${path}' with a value${didYouMean(path, known)}`)
  }
}

/** What is computed of each item of a list. */
class ItemScope implements Scope {
  readonly #list: string
  readonly #members: ListSetup['list']

  constructor(list: string, members: ListSetup['list']) {
    this.#list = list
    this.#members = members
  }

  property(path: string): Term {
    const property = propertyAt({ properties: this.#members }, path)
    if (property) return valueTerm(path, property, { path: path.split('/') })
    const known = simpleProperties({ properties: this.#members }).map(({ names }) => names.join('/'))
    throw new MalformedExpression(`items of ${this.#list} have no property '${path}'${didYouMean(path, known)}`)
  }

  lines(name: string): never {
    throw new MalformedExpression(`'${name}' is no list within ${this.#list}`)
  }
}

function valueTerm(path: string, property: PropertySetup, source: Source): Term {
  const { type, maxLength = LONGEST_TEXT } = property
  if (!TYPES.has(type))
    throw new MalformedExpression(
      `'${path}' is a ${type}: values are computed of strings, integers, decimals and date-times`,
    )
  const scale = scaleOf(property).scale ?? 0
  return { kind: 'property', path: foldName(path), source, type, scale, maxLength: type === 'string' ? maxLength : 0 }
}
