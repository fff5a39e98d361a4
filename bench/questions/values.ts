// Queries of attribute values.
import type { Random } from '../records/random.ts'
import { departmentAt, PLACES, projectAt } from '../records/values.ts'
import type { Members, Parameters, Question } from './question.ts'

function values(options: Parameters): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(options)) query.set(`$${name}`, String(value))
  return `/v1/attribute-values/C5?${query}`
}

/** Members that are equal for all values of the attribute are still read for each row, as the service must. */
const BASE: Members = {
  attributeId: 'v.attribute_id',
  attributeName: 'a.name',
  attributeValue: 'v.attribute_value',
  companyId: "'EN'",
  customValue: 'v.custom_value',
  description: 'v.description',
  owner: 'v.owner',
  ownerAttributeId: 'a.owner_attribute_id',
  ownerAttributeName: "coalesce(o.name, '')",
  periodFrom: 'v.period_from',
  periodTo: 'v.period_to',
  status: 'v.status',
}

const FROM = `from attribute_value v join attribute a on a.attribute_id = v.attribute_id
  left join attribute o on o.attribute_id = a.owner_attribute_id`
const ORDER = 'order by v.attribute_value, v.period_from'

/** A town and the first three digits of a number: about 7 of 200,000 values contain it, never 100. */
const searched = (random: Random): string => `${random.pick(PLACES)} ${100 + random.whole(900)}`

export const CONTAINS: Question = {
  name: 'values: description contains, all looked through',
  answer: 'list',
  // A floor answers one request at a time, in 40 ms or more. With many connections it would spend the measured time on
  // abandoned requests of the warm-up.
  connections: 4,
  ask: (random) => ({ part: searched(random) }),
  service: ({ part }) => values({ filter: `contains(description,'${part}')`, limit: 100 }),
  select: BASE,
  from: `${FROM} where v.attribute_id = 'C5' and instr(v.description, :part) > 0 ${ORDER} limit 100`,
}

export const VALUE_QUESTIONS: readonly Question[] = [
  {
    name: 'values: a range of keys, 100 rows whole',
    answer: 'list',
    ask: (random, { values: count }) => ({ from: projectAt(random.whole(count - 100)) }),
    service: ({ from }) => values({ filter: `attributeValue ge '${from}' and status eq 'N'`, limit: 100 }),
    select: BASE,
    from: `${FROM} where v.attribute_id = 'C5' and v.attribute_value >= :from and v.status = 'N' ${ORDER} limit 100`,
  },
  {
    name: 'values: of an owner, 100 rows of 3',
    answer: 'list',
    ask: (random) => ({ owner: departmentAt(random.whole(40)) }),
    service: ({ owner }) =>
      values({ filter: `owner eq '${owner}'`, select: 'attributeValue,description,customValue', limit: 100 }),
    select: { attributeValue: 'attribute_value', customValue: 'custom_value', description: 'description' },
    from: `from attribute_value where attribute_id = 'C5' and owner = :owner
      order by attribute_value, period_from limit 100`,
    indexes: ['create index value_owner on attribute_value (attribute_id, owner, attribute_value, period_from)'],
  },
  {
    name: 'values: the last page by offset, 100 rows of 3',
    answer: 'list',
    ask: (random, { values: count }) => ({ offset: count - 100 - random.whole(100) }),
    service: ({ offset = 0 }) => values({ select: 'attributeValue,description,status', offset, limit: 100 }),
    select: { attributeValue: 'v.attribute_value', description: 'v.description', status: 'v.status' },
    // The skipped rows are read in the index only.
    from: `from (select attribute_id, attribute_value, period_from from attribute_value where attribute_id = 'C5'
        order by attribute_value, period_from limit 100 offset :offset) page
      join attribute_value v on v.attribute_id = page.attribute_id and v.attribute_value = page.attribute_value
        and v.period_from = page.period_from ${ORDER}`,
  },
  CONTAINS,
]
