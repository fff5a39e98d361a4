import type { BoundType } from '../../../query/bound.ts'
import { CASE_PAIRS } from '../../compile/case-pairs.ts'
import type { Expressions, JsonMember } from '../../compile/expressions.ts'

/** Text parameters carry the order of code points with them, whatever the database's own is. */
const CASTS: Readonly<Record<BoundType, string>> = {
  string: '::text collate "C"',
  'date-time': '::text collate "C"',
  date: '::text collate "C"',
  integer: '::bigint',
  number: '::float8',
  boolean: '::boolean',
}

const quote = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`

export const postgresExpressions: Expressions = {
  placeholder: (position, type) => `($${position}${CASTS[type]})`,
  bindable: (value) => (typeof value === 'boolean' ? String(value) : value),
  quote,
  indexOf: (whole, part) => `strpos(${whole}, ${part})`,
  // An ASCII text is as long in bytes as in characters and folds about ten times as fast. `offset 0` keeps the text,
  // which is looked at several times, from being written out and computed several times.
  fold: (text, to, bind) =>
    `(select case when octet_length(v) = length(v) then ${to}(v collate "C") else translate(v, ${bind(CASE_PAIRS[to].from)}, ${bind(CASE_PAIRS[to].to)}) end from (select ${text} as v offset 0) f)`,
  condition: (column) => column,
  jsonArray: (members, from) =>
    `select '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' as body from (select ${columnsOf(members)} ${from}) r`,
}

/** row_to_json takes the names of the columns; a group is the row of a subselect. `.*`: a column may be called r or g. */
function columnsOf(members: readonly JsonMember[]): string {
  return members
    .map((member) =>
      'members' in member
        ? `(select row_to_json(g.*) from (select ${columnsOf(member.members)}) g) as ${quote(member.name)}`
        : `${member.column} as ${quote(member.name)}`,
    )
    .join(', ')
}
