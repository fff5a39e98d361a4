// Random query options that are legal for an entity set, in the words of OData.
import type { Chance } from '../chance.ts'
import type { DeclaredProperty, DeclaredSet, DeclaredSets } from './entity-sets.ts'

type Options = readonly (readonly [name: string, value: string])[]

const NUMBERS = ['Edm.Int64', 'Edm.Double', 'Edm.Decimal']
const OPERATORS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le']
/** The only one with contents that are searched. */
const SEARCHED = 'document_archive'

/** Some of the options that an operation takes. */
export function legalOptions(sets: DeclaredSets, set: DeclaredSet, taken: readonly string[], chance: Chance): Options {
  const takes = (name: string) => taken.includes(name)
  const wishes = (name: string, share = 0.3) => takes(name) && chance.happens(share)
  const others: Options = [
    ...(wishes('$top') ? [['$top', String(chance.between(0, 5))] as const] : []),
    ...(wishes('$skip') ? [['$skip', String(chance.between(0, 3))] as const] : []),
    ...(wishes('$count') ? [['$count', chance.pick(['true', 'false', 'TRUE'])] as const] : []),
    ...(wishes('$format') ? [['$format', chance.pick(FORMATS)] as const] : []),
  ]
  if (wishes('$apply', 0.2)) return [...others, ...groupsOf(set, takes, chance)]
  const navigation = [...set.lists, ...set.associations]
  return [
    ...others,
    ...(wishes('$filter', 0.5) ? [['$filter', conditionOf(sets, set, chance, 2)] as const] : []),
    ...(wishes('$select') ? [['$select', selectionOf(set.properties, chance)] as const] : []),
    ...(wishes('$orderby') ? [['$orderby', orderOf(set, chance)] as const] : []),
    ...(wishes('$expand') && navigation.length > 0
      ? [['$expand', expansionOf(sets, navigation, chance)] as const]
      : []),
    ...(wishes('$search') && set.name === SEARCHED ? [['$search', chance.pick(SEARCHES)] as const] : []),
  ]
}

const FORMATS = ['json', 'application/json', 'application/json;odata.metadata=none', 'json;odata.metadata=minimal']
const SEARCHES = ['content', 'oslo con*', 'x AND y', '"content"']

function groupsOf(set: DeclaredSet, takes: (name: string) => boolean, chance: Chance): Options {
  const usable = set.properties.filter(({ isFilterable }) => isFilterable)
  const groups = [...new Set(Array.from({ length: chance.between(1, 3) }, () => chance.pick(usable).path))]
  const numbers = usable.filter(({ type }) => NUMBERS.includes(type))
  const method = chance.pick(['sum', 'min', 'max', 'average', 'countdistinct'])
  const sum = numbers.length > 0 ? `,${chance.pick(numbers).path} with ${method} as x1` : ''
  const step = `groupby((${groups.join(',')}),aggregate($count as n${sum}))`
  const before = chance.happens(0.3) ? `filter(${leafOf(chance.pick(usable), chance)})/` : ''
  return [
    ['$apply', before + step],
    ...(takes('$filter') && chance.happens(0.5) ? [['$filter', `n ge ${chance.between(0, 3)}`] as const] : []),
    ...(takes('$orderby') && chance.happens(0.5) ? [['$orderby', `n desc,${groups[0]}`] as const] : []),
  ]
}

function selectionOf(properties: readonly DeclaredProperty[], chance: Chance): string {
  if (chance.happens(0.1)) return '*'
  return Array.from({ length: chance.between(1, 4) }, () => chance.pick(properties).path).join(',')
}

function orderOf({ properties }: DeclaredSet, chance: Chance): string {
  const sortable = properties.filter(({ isSortable }) => isSortable)
  const paths = new Set(Array.from({ length: chance.between(1, 3) }, () => chance.pick(sortable).path))
  return [...paths].map((path) => path + chance.pick(['', ' asc', ' desc'])).join(',')
}

function expansionOf(sets: DeclaredSets, navigation: readonly (readonly [string, string])[], chance: Chance): string {
  const [name, target] = chance.pick(navigation)
  const own = ownProperties(sets.get(target))
  return chance.happens(0.5) || own.length === 0 ? name : `${name}($select=${selectionOf(own, chance)})`
}

/** Without the company and the key, which items have from their record, and names that had to be changed. */
function ownProperties(set: DeclaredSet | undefined): readonly DeclaredProperty[] {
  const isForeign = (path: string) => path === 'companyId' || set?.key.includes(path) || /_\d+$/.test(path)
  return set?.properties.filter(({ path }) => !isForeign(path)) ?? []
}

function conditionOf(sets: DeclaredSets, set: DeclaredSet, chance: Chance, depth: number): string {
  if (depth > 0 && chance.happens(0.4)) {
    const [left, right] = [0, 1].map(() => conditionOf(sets, set, chance, depth - 1))
    return chance.pick([`${left} and ${right}`, `(${left}) or (${right})`, `not (${left})`])
  }
  if (set.lists.size > 0 && chance.happens(0.2)) {
    const [list, target] = chance.pick([...set.lists])
    const own = ownProperties(sets.get(target)).filter(({ isFilterable }) => isFilterable)
    if (own.length === 0) return `${list}/any()`
    const item = chance.pick(own)
    const inside = leafOf({ ...item, path: `i/${item.path}` }, chance)
    return chance.pick([`${list}/any()`, `${list}/any(i:${inside})`, `${list}/all(i:${inside})`])
  }
  return leafOf(chance.pick(set.properties.filter(({ isFilterable }) => isFilterable)), chance)
}

function leafOf({ path, type }: DeclaredProperty, chance: Chance): string {
  const operator = chance.pick(OPERATORS)
  if (chance.happens(0.05)) return `${path} ${operator} null`
  if (NUMBERS.includes(type)) {
    return chance.pick([
      `${path} ${operator} ${chance.between(-10, 300_000)}`,
      `${path} in (1,${chance.between(2, 9)})`,
    ])
  }
  if (type === 'Edm.Boolean') return chance.pick([path, `${path} eq true`, `${path} ne false`])
  if (type === 'Edm.DateTimeOffset') {
    const day = `2026-0${chance.between(1, 9)}-01`
    return chance.pick([
      `${path} ${operator} ${day}`,
      `${path} ${operator} ${day}T10:00:00Z`,
      `year(${path}) ${operator} 2026`,
      `date(${path}) ${operator} ${day}`,
    ])
  }
  const text = `'${chance.text().replaceAll("'", "''")}'`
  return chance.pick([
    `${path} ${operator} ${text}`,
    `${path} in (${text},'x')`,
    `contains(tolower(${path}),${text})`,
    `startswith(${path},${text})`,
    `length(trim(${path})) ${operator} ${chance.between(0, 9)}`,
  ])
}
