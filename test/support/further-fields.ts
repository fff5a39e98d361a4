// The fields of customers that a test does not name: a new field is in each expected record by itself.
import { ABSENT } from '../../src/model/document.ts'
import { columnOf, type Fields } from '../../src/model/record-fields.ts'
import { Customer } from '../../src/model/records/customer.ts'
import { kindOf } from '../../src/model/schema.ts'

export interface FurtherField {
  readonly path: readonly string[]
  readonly column: string
  /** The longest text. */
  readonly max: number | undefined
  /** As it is answered where a record has none. */
  readonly absent: unknown
  /** The same in the column. */
  readonly stored: string | number
}

type Members = Readonly<Record<string, unknown>>

/** The record with the fields that it does not name, each behind the one before it in the definition. */
export function withFurther<Own extends object>(
  record: Own,
  answer: (field: FurtherField) => unknown = ({ absent }) => absent,
): Own {
  return completed(Customer.fields, record as Members, [], answer) as Own
}

/** Those that a record does not name. */
export function furtherFields(record: object): readonly FurtherField[] {
  const found: FurtherField[] = []
  withFurther(record, (field) => found.push(field))
  return found
}

function completed(
  fields: Fields,
  record: Members,
  above: readonly string[],
  answer: (field: FurtherField) => unknown,
): Members {
  const entries = Object.entries(record).map(([name, value]): [string, unknown] => {
    const members = fields[name]?.fields
    return [name, members ? completed(members, value as Members, [...above, name], answer) : value]
  })
  const names = Object.keys(fields)
  for (const [index, name] of names.entries()) {
    const further = Object.hasOwn(record, name) ? undefined : furtherField(fields, [...above, name])
    if (!further) continue
    const before = entries.findLastIndex(([other]) => names.indexOf(other) < index && names.includes(other))
    entries.splice(before + 1 || entries.length, 0, [name, answer(further)])
  }
  return Object.fromEntries(entries)
}

/** Undefined for a group, a list, and what has no column of its own. */
function furtherField(fields: Fields, path: readonly string[]): FurtherField | undefined {
  const name = path.at(-1) ?? ''
  const field = fields[name]
  if (!field?.schema || field.fields || field.isJson || field.column === '') return undefined
  const { default: byDefault } = field.schema as { default?: unknown }
  const absent = byDefault ?? ABSENT[kindOf(field.schema) as keyof typeof ABSENT] ?? ''
  return {
    path,
    column: columnOf(name, field),
    max: field.max,
    absent,
    stored: typeof absent === 'string' ? absent : Number(absent),
  }
}
