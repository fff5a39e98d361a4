import type { Dialect } from '../../../store/dialects/dialect.ts'

/** SQL of a JSON array with the related values of a record; `condition` selects the rows `r`. */
export function relatedValuesJson(engine: Dialect, condition: string): string {
  const item = engine.jsonObject([
    ['dateFrom', 'substr(r.date_from, 1, 23)'],
    ['dateTo', 'substr(r.date_to, 1, 23)'],
    ['percentage', engine.jsonNumber('r.percentage')],
    ['relatedValue', 'r.relation_value'],
    ['relationGroup', `coalesce(t.group_name, '')`],
    ['relationId', 'r.relation_id'],
    ['relationName', `coalesce(t.name, '')`],
    ['unitValue', engine.jsonNumber('r.unit_value')],
  ])
  const from = `from attribute_relation r
    left join relation t on t.company_id = r.company_id and t.relation_id = r.relation_id
    where ${condition}`
  return engine.jsonList(item, from, 'r.created_no')
}
