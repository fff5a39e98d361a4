// The mapping file of an import: YAML, column heading -> property path; an empty path leaves the column out. A property
// with `=` behind it has a constant, or what an expression computes of the cells; a list has the map of its own file.
import { isObject } from '../base/strict-json.ts'
import { foldName } from '../base/text.ts'
import type { DocumentDefinition, Properties } from '../model/document.ts'
import { type SetupPath, type SetupProblem, YamlSource } from '../setup/file/yaml-source.ts'
import { itemProperties } from './item-properties.ts'
import { csvColumns, type HeadingMap, NO_MAP } from './rows/csv-columns.ts'
import { ExpressionError, type MapExpression, parseExpression } from './rows/expression.ts'
import { FileError } from './rows/text-lines.ts'

export interface ImportMap extends HeadingMap {
  /** The maps of the files of lists, by the names of the lists. */
  readonly lists: ReadonlyMap<string, HeadingMap>
}

export function readMap(
  text: string,
  definition: DocumentDefinition,
): { readonly map: ImportMap; readonly problems: readonly SetupProblem[] } {
  const source = new YamlSource(text)
  const lists = new Map<string, HeadingMap>()
  const { data } = source
  if (!isObject(data)) {
    if (source.problems.length === 0) source.add([], 'expected lines such as `Customer no.: customerId`')
    return { map: { ...NO_MAP, lists }, problems: source.sorted() }
  }
  const own = Object.entries(data).filter(([heading, value]) => {
    if (!isObject(value)) return true
    const properties = itemProperties(definition, heading)
    if (properties) lists.set(heading, readSection(source, [heading], Object.entries(value), properties))
    else source.add([heading], `expected the path of a property: ${definition.name} have no list '${heading}'`)
    return false
  })
  return {
    map: { ...readSection(source, [], own, definition.properties), lists },
    problems: source.sorted(),
  }
}

function readSection(
  source: YamlSource,
  at: SetupPath,
  entries: readonly (readonly [string, unknown])[],
  properties: Properties,
): HeadingMap {
  const paths = new Map<string, string>()
  const computed = new Map<string, MapExpression>()
  for (const [heading, value] of entries) {
    const place = [...at, heading]
    if (value !== null && typeof value !== 'string') {
      source.add(place, 'expected the path of a property, or `=` and an expression')
    } else if (value?.trimStart().startsWith('=')) {
      addPathProblem(source, place, heading, properties)
      const expression = expressionIn(source, place, value.trimStart().slice(1))
      if (expression) computed.set(heading, expression)
    } else {
      if (value) addPathProblem(source, place, value, properties)
      paths.set(foldName(heading.trim()), value ?? '')
    }
  }
  return { paths, computed }
}

function expressionIn(source: YamlSource, place: SetupPath, text: string): MapExpression | undefined {
  try {
    return parseExpression(text)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    source.add(place, error.message)
    return undefined
  }
}

function addPathProblem(source: YamlSource, place: SetupPath, path: string, properties: Properties): void {
  try {
    csvColumns(properties, [path])
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    source.add(place, error.message.replace('in the first line ', ''))
  }
}
