import { CASE_PAIRS } from '../../compile/case-pairs.ts'
import type { Expressions, JsonMember } from '../../compile/expressions.ts'

export const sqliteExpressions: Expressions = {
  placeholder: () => '?',
  bindable: (value) => (typeof value === 'boolean' ? Number(value) : value),
  quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
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
    const name = `'${member.name.replaceAll("'", "''")}'`
    if ('members' in member) return `${name}, ${jsonObject(member.members, columns)}`
    const alias = `c${columns.length}`
    columns.push(`${member.column} as ${alias}`)
    return `${name}, ${jsonValue(alias, member.type)}`
  })
  return `json_object(${parts.join(', ')})`
}

function jsonValue(column: string, type: string): string {
  // A double that is whole is written without `.0`, as PostgreSQL and JavaScript do.
  if (type === 'number') return `iif(${column} = cast(${column} as integer), cast(${column} as integer), ${column})`
  return type === 'boolean' ? `json(iif(${column}, 'true', 'false'))` : column
}

function mapOf({ from, to }: { from: string; to: string }): ReadonlyMap<string, string> {
  return new Map([...from].map((letter, index) => [letter, to[index] ?? letter]))
}

const ONLY_ASCII = /^[\x00-\x7f]*$/

/** ASCII is left to `foldAscii`, which is quicker and means the same there. */
function folder(pairs: { from: string; to: string }, foldAscii: (text: string) => string): (text: unknown) => string {
  const map = mapOf(pairs)
  return (given) => {
    const text = String(given)
    if (ONLY_ASCII.test(text)) return foldAscii(text)
    let folded = ''
    for (const letter of text) folded += map.get(letter) ?? letter
    return folded
  }
}

/** Functions that a reading connection must have. */
export const functions: Readonly<Record<string, (text: unknown) => string>> = {
  fold_lower: folder(CASE_PAIRS.lower, (text) => text.toLowerCase()),
  fold_upper: folder(CASE_PAIRS.upper, (text) => text.toUpperCase()),
}
