import { sql } from 'kysely'
import { lastDigit } from '../../../base/numbers/decimal.ts'
import type { Engine } from '../../engine.ts'

export const postgresEngine: Engine = {
  name: 'postgres',
  // row_to_json, because json_build_object puts blanks around its colons.
  jsonObject: (members) =>
    `(select row_to_json(o) from (select ${members.map(([name, sql]) => `${sql} as "${name}"`).join(', ')}) o)`,
  jsonList: (item, from, orderBy) =>
    `(select ('[' || coalesce(string_agg(item::text, ',' order by position), '') || ']')::json
      from (select ${item} as item, row_number() over (order by ${orderBy}) as position ${from}) list)`,
  jsonPart: (column) => column,
  jsonNumber: (column) => column,
  jsonDecimal: (column) => `trim_scale(${column})`,
  decimal: (parameter, scale) => sql`(${parameter}::bigint * ${sql.lit(lastDigit(scale))}::numeric)`,
  jsonFlag: (column) => `(${column} <> 0)`,
}
