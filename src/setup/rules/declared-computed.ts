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
  return computedOf(document, name, finder, [])
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

/** `above`: the computed properties that are being read, each with its document. */
function computedOf(document: DocumentSetup, name: string, finder: LinesFinder, above: readonly string[]): Term {
  const declared = document.properties[name]
  if (!isComputed(declared)) throw new Error(`${name} is not computed`)
  const key = `${document.name}/${name}`
  try {
    const start = above.indexOf(key)
    if (start >= 0) {
      const circle = [...above.slice(start), key].map((one) => one.slice(one.indexOf('/') + 1))
      throw new MalformedExpression(`it is computed of itself: ${circle.join(' of ')}`)
    }
    return readExpression(declared.computed, scopeOf(document, finder, [...above, key]))
  } catch (error) {
    throw error instanceof MalformedExpression ? new NotComputable(key, error) : error
  }
}

function scopeOf(document: DocumentSetup, finder: LinesFinder, above: readonly string[]): Scope {
  const { name: documentName, properties } = document
  return {
    property(path) {
      if (isComputed(properties[path])) {
        const term = computedOf(document, path, finder, above)
        const { type, scale, maxLength } = term
        return { kind: 'property', path: foldName(path), source: { computed: term }, type, scale, maxLength }
      }
      const property = propertyAt(document, path)
      if (property) return valueTerm(path, property, { column: columnAt(document, path) })
      const computed = Object.keys(properties).filter((name) => isComputed(properties[name]))
      const known = [...simpleProperties(document).map(({ names }) => names.join('/')), ...computed]
      throw new MalformedExpression(`${documentName} has no property '${path}' with a value${didYouMean(path, known)}`)
    },
    lines(name) {
      const declared = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (declared && 'list' in declared) {
        const items = list({}, { json: listColumnOf(name) })
        return { path: foldName(name), lines: items, scope: itemScope(name, declared.list) }
      }
      if (!isLinesSetup(declared)) throw new MalformedExpression(`'${name}' is no list and no lines of ${documentName}`)
      const ofLines = finder.declarationOf(declared.items)
      const lines = ofLines && finder.linesOf(document, name)
      if (!lines) throw new MalformedExpression(`there is no document '${declared.items}'`)
      return { path: foldName(name), lines, scope: scopeOf(ofLines, finder, above) }
    },
  }
}

/** What is computed of each item of a list. */
function itemScope(list: string, properties: ListSetup['list']): Scope {
  return {
    property(path) {
      const property = propertyAt({ properties }, path)
      if (property) return valueTerm(path, property, { path: path.split('/') })
      const known = simpleProperties({ properties }).map(({ names }) => names.join('/'))
      throw new MalformedExpression(`items of ${list} have no property '${path}'${didYouMean(path, known)}`)
    },
    lines(name) {
      throw new MalformedExpression(`'${name}' is no list within ${list}`)
    },
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
