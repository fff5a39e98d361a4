// The columns of a Parquet file: those of a query's answer, with groups flattened, because tables are what
// spreadsheets, data frames and SQL handle best.
import { AVERAGE_DIGITS } from '../base/numbers/exact.ts'
import type { ValueProperty } from '../model/document.ts'
import type { Plan } from '../query/plan.ts'
import type { SelectedProperty } from '../query/plan-select.ts'

export interface ParquetColumn {
  readonly name: string
  readonly type: ColumnType
}

/** Decimals are exact. Lists are JSON. A timestamp has milliseconds, and is in UTC. */
export type ColumnType =
  | { readonly kind: 'string' | 'json' | 'integer' | 'double' | 'boolean' | 'timestamp' }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }

/** All that fits into 64 bits. */
const DECIMAL_PRECISION = 18
/** All that readers know. A sum of decimals has fewer digits, unless there are more rows than 64 bits can count. */
const SUM_PRECISION = 38

/**
 * The columns of a plan's answer in its order. A member of a group is `group_member`, and what a code means is
 * `code_text`; where two columns would have one name, regardless of case, the later ones end in `_2`, `_3`...
 */
export function parquetColumns(plan: Plan): ParquetColumn[] {
  const averaged = averageScales(plan)
  const used = new Set<string>()
  return plan.columns
    .flatMap((selected) => columnsOf(selected, '', averaged))
    .map(({ name, type }) => {
      const free = freeName(name, used)
      used.add(free.toLowerCase())
      return { name: free, type }
    })
}

function columnsOf(selected: SelectedProperty, prefix: string, averaged: AverageScales): ParquetColumn[] {
  const name = prefix + selected.name
  switch (selected.kind) {
    case 'value':
      return [{ name, type: typeOf(selected.property, averaged) }]
    case 'description':
      return [{ name: name.replace(/\(description\)$/, '_text'), type: { kind: 'string' } }]
    case 'list':
      return [{ name, type: { kind: 'json' } }]
    case 'group':
    case 'association':
      return selected.properties.flatMap((inner) => columnsOf(inner, `${name}_`, averaged))
  }
}

/** The decimal places of averages, by the property of the result. */
type AverageScales = ReadonlyMap<ValueProperty, number>

/** Averages of integers and decimals; those of doubles have as many places as they need. */
function averageScales({ grouping }: Plan): AverageScales {
  const averages = (grouping?.aggregates ?? []).flatMap(({ function: name, of, result }) => {
    if (name !== 'average' || !of || of.property.type === 'number') return []
    return [[result, (of.property.scale ?? 0) + AVERAGE_DIGITS] as const]
  })
  return new Map(averages)
}

function typeOf(property: ValueProperty, averaged: AverageScales): ColumnType {
  const { type, scale } = property
  switch (type) {
    case 'decimal':
      return { kind: 'decimal', precision: DECIMAL_PRECISION, scale: scale ?? 0 }
    case 'exact': {
      const places = scale ?? averaged.get(property)
      // What doubles are added up to is as exact as they are.
      return places === undefined ? { kind: 'double' } : { kind: 'decimal', precision: SUM_PRECISION, scale: places }
    }
    case 'number':
      return { kind: 'double' }
    case 'date-time':
      return { kind: 'timestamp' }
    default:
      return { kind: type }
  }
}

function freeName(name: string, used: ReadonlySet<string>): string {
  if (!used.has(name.toLowerCase())) return name
  for (let no = 2; ; no++) if (!used.has(`${name}_${no}`.toLowerCase())) return `${name}_${no}`
}
