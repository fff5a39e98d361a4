// Groups of records and what is computed of each. The results are records of a document of their own, so conditions,
// orders and descriptions of them are those of every document.
import { type DocumentDefinition, group, type Properties, type ValueProperty } from '../model/document.ts'
import { type Aggregate, planAggregates } from './aggregates.ts'
import { bindFilter } from './bind.ts'
import type { BoundExpression } from './bound.ts'
import { COMPANY_COLUMN, type Group, planGroups } from './groups.ts'
import type { CollectionOptions } from './options.ts'
import { parseFilter } from './parse/filter.ts'
import { parseAggregate, parseGroupBy } from './parse/groups.ts'
import { inOption } from './parse/query-error.ts'
import type { AggregateItem, GroupItem, SelectItem } from './parse/tree.ts'
import { planSelect, type SelectedProperty } from './plan-select.ts'

export interface Grouping {
  /** The results as records: the properties of the groups, then what is computed of each. */
  readonly result: DocumentDefinition
  /** The members of a result in the order of the query. */
  readonly select: readonly SelectedProperty[]
  /** Empty: all records are one group, even if there are none. */
  readonly groups: readonly Group[]
  readonly aggregates: readonly Aggregate[]
  /** The condition on results. */
  readonly having: BoundExpression | undefined
}

export type GroupingOptions = Partial<Pick<CollectionOptions, 'groupBy' | 'aggregate' | 'having'>>

/** Undefined for a query of the records themselves. Throws a QueryError for the first error. */
export function planGrouping(definition: DocumentDefinition, options: GroupingOptions): Grouping | undefined {
  const { groupBy, aggregate, having } = options
  if (groupBy === undefined && aggregate === undefined) return undefined
  const items = groupBy === undefined ? [] : parseGroupBy(groupBy)
  const groups = planGroups(definition, items)
  const results = aggregate === undefined ? [] : parseAggregate(aggregate)
  const grouping = grouped(definition, items, groups, results)
  const condition =
    having === undefined ? undefined : inOption('having', () => bindFilter(grouping.result, parseFilter(having)))
  return { ...grouping, having: condition }
}

/** The groups of parsed items. Throws a QueryError for the first error. */
export function groupingOf(
  definition: DocumentDefinition,
  items: readonly GroupItem[],
  results: readonly AggregateItem[],
): Omit<Grouping, 'having'> {
  return grouped(definition, items, planGroups(definition, items), results)
}

function grouped(
  definition: DocumentDefinition,
  items: readonly GroupItem[],
  groups: readonly Group[],
  results: readonly AggregateItem[],
): Omit<Grouping, 'having'> {
  const taken = groups.map(({ names: [first = ''] }) => first)
  const aggregates = planAggregates(definition, results, taken)
  const result = resultOf(definition, groups, aggregates)
  const select = inOption('groupby', () => planSelect(result.properties, selectItems(items, aggregates), 'requested'))
  return { result, select, groups, aggregates }
}

/** The document of the results. Its table is a subselect, and its key are the paths of the groups. */
function resultOf(
  { name, version }: DocumentDefinition,
  groups: readonly Group[],
  aggregates: readonly Aggregate[],
): DocumentDefinition {
  const computed = aggregates.map((one) => [one.name, one.result] as const)
  return {
    name,
    version,
    description: `What is computed of groups of ${name}.`,
    table: 'results',
    companyColumn: COMPANY_COLUMN,
    joins: {},
    key: groups.map(({ names }) => names.join('/')),
    properties: { ...nested(groups), ...Object.fromEntries(computed) },
  }
}

type Leaf = Pick<Group, 'names' | 'result'>

/** The properties in groups with the names of their paths. */
function nested(leaves: readonly Leaf[]): Properties {
  const byName = new Map<string, Leaf[]>()
  for (const { names, result } of leaves) {
    const [first = '', ...rest] = names
    byName.set(first, [...(byName.get(first) ?? []), { names: rest, result }])
  }
  const properties = [...byName].map(([name, inside]): [string, ValueProperty | ReturnType<typeof group>] => {
    const [only] = inside
    return [name, only?.names.length === 0 ? only.result : group(nested(inside))]
  })
  return Object.fromEntries(properties)
}

function selectItems(items: readonly GroupItem[], aggregates: readonly Aggregate[]): SelectItem[] {
  const groups = items.map(({ path: { names, positions }, description }) => {
    const last = names.length - 1
    const leaf: SelectItem = item(names[last], positions[last], undefined, description)
    return names.slice(0, -1).reduceRight((inside, name, at) => item(name, positions[at], [inside]), leaf)
  })
  return [...groups, ...aggregates.map(({ name }) => item(name, 0))]
}

function item(
  name = '',
  position = 0,
  inside?: readonly SelectItem[],
  description?: SelectItem['description'],
): SelectItem {
  return { name, position, inside, description }
}
