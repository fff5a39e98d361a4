import { CASE_PAIRS } from '../../compile/case-pairs.ts'
import type { Expressions, JsonMember } from '../../compile/expressions.ts'

export const sqliteExpressions: Expressions = {
  placeholder: () => '?',
  bindable: (value) => (typeof value === 'boolean' ? Number(value) : value),
  quote: (identifier) => `"${identifier}"`,
  indexOf: (whole, part) => `instr(${whole}, ${part})`,
  fold: (text, to) => `fold_${to}(${text})`,
  condition: (column) => `${column} = 1`,
  jsonArray: (members, from) => {
    const columns: string[] = []
    const object = jsonObject(members, columns)
    return `select json_group_array(${object}) as body from (select ${columns.join(', ')} ${from})`
  },
}

/** Builds the object of one row; the columns it needs are added to `columns` under names of their own. */
function jsonObject(members: readonly JsonMember[], columns: string[]): string {
  const parts = members.map((member) => {
    if ('members' in member) return `'${member.name}', ${jsonObject(member.members, columns)}`
    const alias = `c${columns.length}`
    columns.push(`${member.column} as ${alias}`)
    return `'${member.name}', ${jsonValue(alias, member.type)}`
  })
  return `json_object(${parts.join(', ')})`
}

function jsonValue(column: string, type: string): string {
  // A double that is whole is written without `.0`, as PostgreSQL and JavaScript do.
  if (type === 'number') return `iif(${column} = cast(${column} as integer), cast(${column} as integer), ${column})`
  return type === 'boolean' ? `json(iif(${column}, 'true', 'false'))` : column
}

const MAPS = {
  lower: mapOf(CASE_PAIRS.lower),
  upper: mapOf(CASE_PAIRS.upper),
}

function mapOf({ from, to }: { from: string; to: string }): ReadonlyMap<string, string> {
  return new Map([...from].map((letter, index) => [letter, to[index] ?? letter]))
}

function folder(map: ReadonlyMap<string, string>): (text: unknown) => string {
  return (text) => {
    let folded = ''
    for (const letter of String(text)) folded += map.get(letter) ?? letter
    return folded
  }
}

/** Functions that a reading connection must have. */
export const functions: Readonly<Record<string, (text: unknown) => string>> = {
  fold_lower: folder(MAPS.lower),
  fold_upper: folder(MAPS.upper),
}
