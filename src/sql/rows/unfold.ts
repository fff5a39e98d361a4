// The first table of a document's rows, or in its place the items of a list of its rows.
import type { DocumentDefinition, ItemTable, Unfolding } from '../../model/document.ts'
import { COMPANY_COLUMN, JOURNAL } from '../tables.ts'
import type { SqlParameters } from './emitter.ts'

/** `pin` names the index of the table (see `Dialect.pinned`). */
export function firstTable(definition: DocumentDefinition, sql: SqlParameters, alias: string, pin: string): string {
  const table = sql.table(definition.table)
  const { unfolding } = definition
  if (definition.table === JOURNAL) return `(${sql.dialect.journal(sql.company)}) ${alias}`
  return unfolding ? `(${itemRows(table, unfolding, sql, pin)}) ${alias}` : `${table} ${alias}${pin}`
}

/** A subselect that databases see through: conditions on columns of the table find its rows by an index. */
function itemRows(table: string, unfolding: Unfolding, sql: SqlParameters, pin: string): string {
  const { dialect } = sql
  const { from, position, columns } = unfolding
  const [record, item] = [sql.nextAlias('p'), sql.nextAlias('i')]
  const isJson = 'json' in from
  const place = isJson ? dialect.itemPosition(item) : `${item}.${dialect.quote(from.orderBy)}`
  const selected = [`${record}.*`, `${place} as ${dialect.quote(position)}`]
  for (const [column, name] of columns) {
    selected.push(`${item}.${isJson ? 'value' : dialect.quote(column)} as ${dialect.quote(name)}`)
  }
  const first = `select ${selected.join(', ')} from ${table} ${record}${pin}`
  const ofCompany = (alias: string) => `${alias}.${dialect.quote(COMPANY_COLUMN)} = ${sql.company}`
  if (isJson) {
    const list = dialect.inReach(`${record}.${dialect.quote(from.json)}`)
    return `${first}, ${dialect.items(list, item)} where ${ofCompany(record)}`
  }
  const where = [ofCompany(record), ofCompany(item), isOf(from, record, item, sql)]
  return `${first}, ${sql.table(from.table)} ${item} where ${where.join(' and ')}`
}

function isOf({ on }: ItemTable, record: string, item: string, { dialect }: SqlParameters): string {
  const { quote, isNextItem } = dialect
  const same = on.map(([own, other]) => `${item}.${quote(other)} = ${record}.${quote(own)}`)
  return [...same, ...(isNextItem ? [isNextItem] : [])].join(' and ')
}
