import type { BoundType } from '../../../query/bound.ts'
import { CASE_PAIRS } from '../../compile/case-pairs.ts'
import type { Expressions, JsonMember } from '../../compile/expressions.ts'

/** Text parameters carry the order of code points with them, whatever the database's own is. */
const CASTS: Readonly<Record<BoundType, string>> = {
  string: '::text collate "C"',
  'date-time': '::text collate "C"',
  date: '::text collate "C"',
  integer: '::float8',
  number: '::float8',
  boolean: '::boolean',
}

export const postgresExpressions: Expressions = {
  placeholder: (position, type) => `($${position}${CASTS[type]})`,
  bindable: (value) => (typeof value === 'boolean' ? String(value) : value),
  quote: (identifier) => `"${identifier}"`,
  indexOf: (whole, part) => `strpos(${whole}, ${part})`,
  fold: (text, to, bind) => `translate(${text}, ${bind(CASE_PAIRS[to].from)}, ${bind(CASE_PAIRS[to].to)})`,
  condition: (column) => column,
  jsonArray: (members, from) =>
    `select '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' as body from (select ${columnsOf(members)} ${from}) r`,
}

/** row_to_json takes the names of the columns; a group is the row of a subselect. `.*`: a column may be called r or g. */
function columnsOf(members: readonly JsonMember[]): string {
  return members
    .map((member) =>
      'members' in member
        ? `(select row_to_json(g.*) from (select ${columnsOf(member.members)}) g) as "${member.name}"`
        : `${member.column} as "${member.name}"`,
    )
    .join(', ')
}
