import type { Engine } from '../../engine.ts'
import { jsonDecimal, jsonNumber } from './functions/json-number.ts'

export const sqliteEngine: Engine = {
  name: 'sqlite',
  jsonObject: (members) => `json_object(${members.map(([name, sql]) => `'${name}', ${sql}`).join(', ')})`,
  jsonList: (item, from, orderBy) =>
    `json((select json_group_array(json(item)) from (select ${item} as item ${from} order by ${orderBy})))`,
  jsonPart: (column) => `json(${column})`,
  jsonNumber,
  jsonDecimal,
  decimal: (parameter) => parameter,
  jsonFlag: (column) => `json(iif(${column}, 'true', 'false'))`,
}
