import type { ClientDefinition } from '../../access/caller.ts'
import type { IndexChanges, SetupIndex } from '../../sql/setup-index.ts'
import type { SetupItem } from '../items/setup-item.ts'
import type { Change } from './compare-setup.ts'

/** How many values of an attribute were created, and how many got another description. */
export interface SeededValues {
  readonly companyId: string
  readonly attributeId: string
  readonly created: number
  readonly changed: number
}

/** Describes the changes for people: one line per change, then the totals. Secrets never appear. */
export function printChanges(
  changes: readonly Change[],
  values: readonly SeededValues[],
  indexes: IndexChanges = { create: [], drop: [] },
): string {
  const lines = changes.flatMap(describeChange)
  for (const { companyId, attributeId, created, changed } of values) {
    if (created > 0) lines.push(`+ ${countedNoun(created, 'attribute value')} of ${companyId}/${attributeId}`)
    if (changed > 0) lines.push(`~ ${countedNoun(changed, 'description')} of ${companyId}/${attributeId}`)
  }
  for (const index of indexes.create) lines.push(`+ ${describeIndex(index)}`)
  for (const name of indexes.drop) lines.push(`- index ${name}`)
  const count = (kind: Change['kind']) => changes.filter((change) => change.kind === kind).length
  const removed = count('removed') > 0 ? `, ${count('removed')} removed` : ''
  const sum = (name: 'created' | 'changed') => values.reduce((total, one) => total + one[name], 0)
  lines.push(
    `${count('created')} created, ${count('changed')} changed, ${count('unchanged')} unchanged${removed}, ${count('kept')} kept though not in the file; attribute values: ${sum('created')} created, ${sum('changed')} changed`,
  )
  return lines.join('\n')
}

function describeIndex(index: SetupIndex): string {
  return index.kind === 'text'
    ? `text index ${index.name} on ${index.table} (${index.column})`
    : `index ${index.name} on ${index.table} (${index.columns.join(', ')})`
}

function describeChange(change: Change): string[] {
  const name = itemName(change.item)
  switch (change.kind) {
    case 'created':
      return [`+ ${name}`]
    case 'changed':
      return [`~ ${name}: ${change.members.map((member) => describeMember(change, member)).join(', ')}`]
    case 'removed':
      return [`- ${name}`]
    case 'kept':
      return [`= ${name} (not in the file: kept)`]
    default:
      return []
  }
}

/** `attribute EN/C1`, `client bi`. */
export function itemName({ companyId, kind, id }: SetupItem): string {
  return `${kind} ${companyId && kind !== 'company' ? `${companyId}/${id}` : id}`
}

function describeMember({ item, before }: Change, member: string): string {
  if (member === 'secretHash') return 'secret'
  if (member === 'passwordHash') return 'password'
  const print = (definition: object | undefined) => {
    if (member === 'secrets') return describeSecrets(definition as ClientDefinition)
    const text = JSON.stringify((definition as Record<string, unknown> | undefined)?.[member]) ?? 'nothing'
    return text.length > 60 ? `${text.slice(0, 57)}...` : text
  }
  return `${member} ${print(before?.definition)} -> ${print(item.definition)}`
}

function describeSecrets({ secrets = [] }: ClientDefinition): string {
  if (secrets.length === 0) return 'nothing'
  return secrets.map(({ until }) => (until === undefined ? 'one without end' : `one until ${until}`)).join(' and ')
}

function countedNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
