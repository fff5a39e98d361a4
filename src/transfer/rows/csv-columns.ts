// What the headings of a CSV file mean: `plan.hours` is a property in a group, `contactPoints.1.address.place` one of
// the first item of a list, and `contactPoints` a list as JSON.
import { memo } from '../../base/memo.ts'
import { didYouMean, foldName, shortened } from '../../base/text.ts'
import { isLines, MAX_ITEMS, type Properties, type Property, type ValueType } from '../../model/document.ts'
import { bindExpression, type CellsToText, type MapExpression } from './expression.ts'
import { FileError } from './text-lines.ts'

/** Names of groups, lists and the property, with the index of the item, from 0, behind that of its list. */
export type ColumnPath = readonly (string | number)[]

/** The property that the cells of a column belong to. */
export interface CsvColumn {
  /** As it stands in the file. */
  readonly heading: string
  /** Empty for a column that is not imported. */
  readonly path: ColumnPath
  /** The type of the property; `json` for a list, `none` for a column that is not imported or has no heading. */
  readonly type: ValueType | 'json' | 'none' | 'nameless'
  /** Makes the text for a row when the file does not have the column. */
  readonly computed?: CellsToText
  /** Whether the text is the same for each row, in the form that records have. */
  readonly isConstant?: boolean
}

export interface HeadingMap {
  /** Headings in lower case -> property paths; an empty path leaves the column out. */
  readonly paths: ReadonlyMap<string, string>
  /** Property paths -> what they have in each row. */
  readonly computed: ReadonlyMap<string, MapExpression>
}

export const NO_MAP: HeadingMap = { paths: new Map(), computed: new Map() }

/** The headings of a rejects file that are no properties. */
export const NOTES: readonly string[] = ['#line', '#message']
/** A message names at most this many headings. */
const MAX_PROBLEMS = 10

/**
 * The columns of the file, and behind them those that the map computes. Throws a FileError with the headings that mean
 * nothing, or the same as another, each with the nearest legal one.
 */
export function csvColumns(
  properties: Properties,
  headings: readonly string[],
  { paths, computed }: HeadingMap = NO_MAP,
): readonly CsvColumn[] {
  const seen = new Set<string>()
  const whole = new Set<string>()
  const problems: string[] = []
  const columnAt = (heading: string, name: string): CsvColumn => {
    if (heading === '') return { heading, path: [], type: 'nameless' }
    if (name === '' || NOTES.includes(heading)) return { heading, path: [], type: 'none' }
    const found = problems.length > MAX_PROBLEMS ? undefined : findColumn(properties, name)
    if (!found) {
      if (problems.length <= MAX_PROBLEMS) problems.push(unknownHeading(properties, heading, name))
      return { heading, path: [], type: 'none' }
    }
    const names = namesOf(found.path)
    // A list is one column, or the columns of its items.
    if (seen.has(names.at(-1)!) || (found.type !== 'json' && names.some((name) => whole.has(name)))) {
      problems.push(`the property '${pathName(found.path)}' stands twice`)
    }
    if (found.type === 'json') whole.add(names.at(-1)!)
    for (const name of names) seen.add(name)
    return { heading, ...found }
  }
  const ofFile = headings.map((heading) => columnAt(heading, paths.get(foldName(heading)) ?? heading))
  const ofMap = [...computed].map(([path, expression]) => ({
    ...columnAt(path, path),
    computed: bindExpression(expression, headings),
    isConstant: expression.kind === 'constant',
  }))
  if (problems.length > 0) throw new FileError(`in the first line ${listed(problems)}`)
  return [...ofFile, ...ofMap]
}

function listed(problems: readonly string[]): string {
  const shown = problems.slice(0, MAX_PROBLEMS).join(', and ')
  return problems.length > MAX_PROBLEMS ? `${shown}, and more` : shown
}

/** The names of the lists that the property is in, and its own. */
function namesOf(path: ColumnPath): string[] {
  return [...path.flatMap((part, at) => (typeof part === 'number' ? [pathTo(path, at)] : [])), path.join('.')]
}

function pathTo(path: ColumnPath, end: number): string {
  return path.slice(0, end).join('.')
}

type Found = Pick<CsvColumn, 'path' | 'type'>

function findColumn(properties: Properties, heading: string): Found | undefined {
  const path: (string | number)[] = []
  let inside: Properties | undefined = properties
  const parts = heading.split('.')
  for (let at = 0; at < parts.length; at++) {
    const found: NamedProperty | undefined = inside && foldedNames(inside).get(foldName(parts[at] ?? ''))
    if (!found) return undefined
    const [name, property]: NamedProperty = found
    path.push(name)
    if (property.kind === 'value') return at === parts.length - 1 ? { path, type: property.type } : undefined
    if (property.kind === 'association' || isLines(property)) return undefined
    if (property.kind === 'list') {
      if (at === parts.length - 1) return { path, type: 'json' }
      at += 1
      if (!/^[1-9]\d{0,2}$/.test(parts[at] ?? '') || Number(parts[at]) > MAX_ITEMS) return undefined
      path.push(Number(parts[at]) - 1)
    }
    inside = property.properties
  }
  return undefined
}

type NamedProperty = readonly [name: string, property: Property]

const foldedNames = memo((properties: Properties) => new Map(namedProperties(properties)))

/** Names and other names in lower case. */
function* namedProperties(properties: Properties): Generator<[string, NamedProperty]> {
  for (const entry of Object.entries(properties)) {
    const [name, property] = entry
    for (const alias of 'aliases' in property ? (property.aliases ?? []) : []) yield [foldName(alias), entry]
    yield [foldName(name), entry]
  }
}

function unknownHeading(properties: Properties, heading: string, name: string): string {
  const mapped = heading === name ? '' : ` (for '${shortened(heading)}')`
  return `there is no property '${shortened(name)}'${mapped}${suggestion(properties, name)}`
}

function suggestion(properties: Properties, name: string): string {
  if (name.length > 200) return ''
  const dotted = name
    .replaceAll(/\[(\d{1,3})\]/g, (_index, digits: string) => `.${Number(digits) + 1}`)
    .replaceAll('/', '.')
  const found = dotted === name ? undefined : findColumn(properties, dotted)
  if (found) return `; write '${pathName(found.path)}'`
  return didYouMean(name, [...columnsIn(properties)].map(pathName))
}

/** Every column that a file may have, with the first item of each list, and each list itself. */
function* columnsIn(properties: Properties, groups: ColumnPath = []): Generator<ColumnPath> {
  for (const [name, property] of Object.entries(properties)) {
    const path = [...groups, name]
    if (property.kind === 'group') yield* columnsIn(property.properties, path)
    else if (property.kind !== 'association' && !isLines(property)) yield path
    if (property.kind === 'list' && !isLines(property)) yield* columnsIn(property.properties, [...path, 0])
  }
}

/** The heading of a path: `contactPoints.1.address.place`. */
function pathName(path: ColumnPath): string {
  return path.map((part) => (typeof part === 'number' ? part + 1 : part)).join('.')
}

/** Headings by the paths of findings, such as `contactPoints[0].address.place`; empty items of a row do not count. */
export function headingsByFinding(columns: readonly CsvColumn[], cells: readonly string[]): Map<string, string> {
  const used = new Map<string, Set<number>>()
  columns.forEach(({ path, computed }, index) => {
    const cell = computed ? computed(cells) : cells[index]
    path.forEach((part, at) => {
      if (typeof part !== 'number' || !cell) return
      const list = pathTo(path, at)
      used.set(list, (used.get(list) ?? new Set()).add(part))
    })
  })
  const findingOf = (path: ColumnPath) =>
    path.reduce<string>((finding, part, at) => {
      if (typeof part === 'string') return finding === '' ? part : `${finding}.${part}`
      const before = [...(used.get(pathTo(path, at)) ?? [])].filter((index) => index < part)
      return `${finding}[${before.length}]`
    }, '')
  const isThere = (path: ColumnPath) =>
    path.length > 0 && path.every((part, at) => typeof part === 'string' || used.get(pathTo(path, at))?.has(part))
  return new Map(columns.flatMap(({ path, heading }) => (isThere(path) ? [[findingOf(path), heading]] : [])))
}
