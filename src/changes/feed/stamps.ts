// When and by whom a record was last changed, for queries that ask it of kinds whose texts do not show it.
import type { Property } from '../../model/document.ts'
import { mentions } from '../../query/mentions.ts'
import type { SelectedProperty } from '../../query/plan-select.ts'
import type { Columns } from '../../records/kinds/kind.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { StatesQuery } from '../../sql/compile/compile-states.ts'
import { stampsOf } from '../log-entry.ts'
import type { LogSource } from '../log-source.ts'
import { listEntryNumbers, startOf } from '../log-store.ts'
import type { RecordChange } from '../record-change.ts'
import type { NewestChange } from './newest-states.ts'

/** Whether a query needs to know when or by whom a record was last changed. */
export function asksForStamp({ definition, filter, select }: StatesQuery): boolean {
  const { properties } = definition.restriction?.whole ?? definition
  const stamps = valuesOf(properties.lastUpdated)
  return stamps.some((property) => mentions(filter, property)) || select.some((one) => selectsAny(one, stamps))
}

function valuesOf(property: Property | undefined): Property[] {
  if (property?.kind === 'group') return Object.values(property.properties).flatMap(valuesOf)
  return property ? [property] : []
}

function selectsAny(selected: SelectedProperty, wanted: readonly Property[]): boolean {
  if (selected.kind === 'group') return selected.properties.some((inner) => selectsAny(inner, wanted))
  return selected.kind === 'value' && wanted.includes(selected.property)
}

/** The changes with the stamps of their records before and after. */
export async function withStamps(
  source: LogSource,
  company: CompanyRules,
  changes: readonly NewestChange[],
): Promise<RecordChange[]> {
  const known = new Map<string, Columns>()
  const completed: RecordChange[] = []
  for (const change of changes) {
    const { kind, number, unseen } = change
    if (kind.showsStamp) {
      completed.push(change)
      continue
    }
    const name = `${kind.name} ${JSON.stringify(change.key)}`
    const stampAt = async (below: number) => known.get(name) ?? (await stampBefore(source, company, change, below))
    const before = change.before === '' ? {} : await stampAt(change.firstNumber ?? number)
    const after = 'updated_at' in unseen.after ? {} : await stampAt(number)
    const complete = { before: { ...unseen.before, ...before }, after: { ...unseen.after, ...after } }
    if (change.firstNumber === undefined) known.set(name, stampIn(complete.after))
    completed.push({ ...change, unseen: { ...unseen, ...complete } })
  }
  return completed
}

function stampIn({ updated_at = '', updated_by = '' }: Columns): Columns {
  return { updated_at, updated_by }
}

/** The stamp that the last entry of the record before a number has left. */
async function stampBefore(
  source: LogSource,
  company: CompanyRules,
  { kind, key }: RecordChange,
  below: number,
): Promise<Columns> {
  const tx = source.reading(company.id)
  const range = { after: 0, below, entities: [kind.journalEntity], most: 1 }
  const [stamp = {}] = (await stampsOf(tx, await listEntryNumbers(tx, [startOf(key, true)], range))).values()
  return stamp
}
