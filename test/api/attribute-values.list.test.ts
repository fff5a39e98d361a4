// GET and HEAD of the values of an attribute: specification, attribute values, rules 5, 6 and 9; decisions 2 and 6.
import { expect, it } from 'vitest'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore } from '../support/world.ts'

const base = {
  attributeId: 'C0',
  attributeName: 'ABSREASON',
  companyId: 'EN',
  customValue: 0,
  owner: '',
  ownerAttributeId: '',
  ownerAttributeName: '',
  periodFrom: 0,
  periodTo: 209912,
  status: 'N',
}

const list = (query: string, rest: Partial<Scenario> = {}) => ({ url: `/v1/attribute-values/C0?${query}`, ...rest })
const values = (...names: string[]) => names.map((attributeValue) => ({ attributeValue }))
const only = '$select=attributeValue'

const answered: Scenario[] = [
  {
    name: 'answers the base data of all values in key order (rule 5)',
    ...list(''),
    status: 200,
    json: [
      { ...base, attributeValue: 'HOL', description: 'Holiday' },
      { ...base, attributeValue: 'SICK', description: 'Sickness' },
      { ...base, attributeValue: 'TRAIN', description: 'Training' },
    ],
  },
  {
    name: 'describes codes as the object endpoint does, in the language of the caller (decision 6)',
    ...list('$select=attributeValue,status[C;T]&$limit=1', { headers: { 'accept-language': 'no' } }),
    status: 200,
    json: [{ attributeValue: 'HOL', status: 'N', 'status(description)': 'Aktiv' }],
  },
  {
    name: 'describes codes in the language of the company where the caller names none',
    ...list('$select=status[T]&$limit=1'),
    status: 200,
    json: [{ 'status(description)': 'Active' }],
  },
  {
    name: 'answers an empty array for an attribute without values (rule 5)',
    url: '/v1/attribute-values/C8',
    status: 200,
    json: [],
  },
  {
    name: 'answers only what is selected, in documented spelling',
    ...list('$select=DESCRIPTION,%20attributevalue&limit=1'),
    status: 200,
    json: [{ attributeValue: 'HOL', description: 'Holiday' }],
  },
  {
    name: 'answers everything for * and for an empty select',
    ...list('$select=*&$limit=1'),
    status: 200,
    json: [{ ...base, attributeValue: 'HOL', description: 'Holiday' }],
  },
  {
    name: 'filters',
    ...list(`${only}&$filter=attributeValue eq 'SICK' or startswith(description,'Tr')`),
    status: 200,
    json: values('SICK', 'TRAIN'),
  },
  {
    name: 'filters with two blanks, plus signs and raw quotes (habits)',
    ...list(`${only}&filter=(attributeValue++ne++'SICK')+and+not+(contains(description,'oli'))`),
    status: 200,
    json: values('TRAIN'),
  },
  {
    name: 'compares strings with regard to case',
    ...list(`${only}&$filter=description eq 'holiday' or tolower(description) eq 'training'`),
    status: 200,
    json: values('TRAIN'),
  },
  {
    name: 'compares a number property with a quoted number, and a string property with a bare one',
    ...list(`${only}&$filter=periodTo eq '209912' and attributeValue ne 1`),
    status: 200,
    json: values('HOL', 'SICK', 'TRAIN'),
  },
  {
    name: 'sorts descending',
    ...list(`${only}&$orderby=description desc`),
    status: 200,
    json: values('TRAIN', 'SICK', 'HOL'),
  },
  { name: 'pages by offset and limit', ...list(`${only}&$offset=1&$limit=1`), status: 200, json: values('SICK') },
  {
    name: 'pages by skip and top without the dollar sign (decision 0)',
    ...list('select=attributeValue&skip=1&TOP=5'),
    status: 200,
    json: values('SICK', 'TRAIN'),
  },
  { name: 'answers an empty page behind the last', ...list('offset=3&limit=2'), status: 200, json: [] },
  {
    name: 'passes over unknown parameters and an empty first one (habits)',
    ...list(`&foo=bar&${only}&limit=1`),
    status: 200,
    json: values('HOL'),
  },
  {
    name: 'passes over an odd Accept header (decision 0)',
    ...list(`${only}&limit=1`, { headers: { accept: 'image/png' } }),
    status: 200,
    json: values('HOL'),
  },
]

const refused: Scenario[] = [
  {
    name: 'refuses an unknown attribute (rule 5)',
    url: '/v1/attribute-values/ZZ',
    status: 404,
    json: { code: 1040, message: 'Attribute with id ZZ is not found' },
  },
  { name: 'refuses an unknown property in select with 404 (rule 5)', ...list('$select=nope'), status: 404, code: 1040 },
  {
    name: 'refuses an unknown property in filter with 404 (decision 2)',
    ...list("$filter=nope eq 'x'"),
    status: 404,
    code: 1040,
  },
  {
    name: 'refuses an unknown property in orderby with 404 (decision 2)',
    ...list('$orderby=nope'),
    status: 404,
    code: 1040,
  },
  { name: 'refuses bad syntax with 404 (rule 5)', ...list('$filter=description eq'), status: 404, code: 1040 },
  { name: 'refuses lists, which are no base data', ...list('$select=relatedValues'), status: 404, code: 1040 },
  {
    name: 'refuses a limit of 0 with 400',
    ...list('$limit=0'),
    status: 400,
    json: { code: 1020, message: 'Limit is invalid. Value should be greater than 0.' },
  },
  {
    name: 'refuses a negative offset with 400',
    ...list('$offset=-1'),
    status: 400,
    json: { code: 1020, message: 'Offset is invalid. Value should be greater than or equal to 0.' },
  },
  { name: 'refuses a limit above the most (decision 6)', ...list('$limit=50001'), status: 400, code: 1020 },
  { name: 'refuses a limit above the 32-bit range', ...list('$limit=2147483648'), status: 400, code: 1010 },
  {
    name: 'refuses an option given twice by an alias (decision 0)',
    ...list('$limit=1&top=2'),
    status: 400,
    code: 1020,
  },
  { name: 'refuses a misspelled option (decision 0)', ...list('$fitler=x'), status: 400, code: 1020 },
  { name: 'refuses an unknown company (rule 9)', ...list('companyId=XX'), status: 403, code: 2030 },
  { name: 'refuses a caller without the permission (rule 9)', as: 'nobody', ...list(''), status: 403, code: 2030 },
  {
    name: 'refuses to count for a caller without the permission (rule 6)',
    as: 'nobody',
    method: 'HEAD',
    ...list(''),
    status: 403,
  },
  {
    name: 'refuses to count the values of an unknown attribute (rule 6)',
    method: 'HEAD',
    url: '/v1/attribute-values/ZZ',
    status: 404,
  },
]

const counted: Scenario[] = [
  {
    name: 'counts all values (rule 6)',
    method: 'HEAD',
    ...list(''),
    status: 200,
    answerHeaders: { 'x-erp-total-count': '3' },
  },
  {
    name: 'counts what a filter leaves (decision 2)',
    method: 'HEAD',
    ...list("$filter=startswith(description,'S')"),
    status: 200,
    answerHeaders: { 'x-erp-total-count': '1' },
  },
  {
    name: 'counts nothing in an attribute without values',
    method: 'HEAD',
    url: '/v1/attribute-values/C8',
    status: 200,
    answerHeaders: { 'x-erp-total-count': '0' },
  },
]

onEachStore('GET and HEAD /v1/attribute-values/{attributeId}', (world) => {
  runScenarios(world, answered)
  runScenarios(world, refused)
  runScenarios(world, counted)

  it('answers compact JSON, exactly [] when there is nothing (decision 0)', async () => {
    expect((await world().send({ as: 'integration', url: '/v1/attribute-values/C8' })).text).toBe('[]')
    expect((await world().send({ as: 'integration', ...list(`${only}&limit=2`) })).text).toBe(
      '[{"attributeValue":"HOL"},{"attributeValue":"SICK"}]',
    )
  })

  it('never answers a record of another company', async () => {
    const answer = await world().send({ as: 'integration', url: "/v1/attribute-values/C1?$filter=description ne ''" })
    expect(answer.text).not.toContain('canary')
    const other = await world().send({ as: 'sv', url: '/v1/attribute-values/C1?$select=description,companyId' })
    expect(other.json).toEqual([
      { companyId: 'SV', description: 'canary-of-SV' },
      { companyId: 'SV', description: 'canary-of-SV' },
    ])
  })

  it('walks pages of changing size to the empty one without skipping or repeating (habits)', async () => {
    const seen: string[] = []
    for (const limit of [1, 2, 1, 3]) {
      const page = await world().send({ as: 'integration', ...list(`${only}&offset=${seen.length}&limit=${limit}`) })
      seen.push(...page.json.map((row: { attributeValue: string }) => row.attributeValue))
    }
    expect(seen).toEqual(['HOL', 'SICK', 'TRAIN'])
  })

  it('says so when an answer without a limit was cut, and where the rest is (decision 6)', async () => {
    await world().query(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 50001)
      insert into attribute_value (company_id, attribute_id, attribute_value, period_from, period_to, description, owner, status, custom_value, contact_points, updated_at, updated_by, change_no)
      select 'EN', 'C8', 'V' || i, 0, 209912, '', '', 'N', 0, '[]', '', '', 1 from n`)
    const cut = await world().send({ as: 'integration', url: `/v1/attribute-values/C8?${only}&companyId=EN` })
    expect([cut.status, cut.json.length, cut.headers['x-erp-truncated']]).toEqual([200, 50_000, 'true'])
    const next = /^<(.+)>; rel="next"$/.exec(String(cut.headers.link))?.[1] ?? ''
    const rest = await world().send({ as: 'integration', url: next })
    expect([rest.json.length, rest.headers.link, rest.headers['x-erp-truncated']]).toEqual([1, undefined, undefined])
    const asked = await world().send({ as: 'integration', url: `/v1/attribute-values/C8?${only}&limit=50000` })
    expect([asked.json.length, asked.headers.link]).toEqual([50_000, undefined])
    const counted = await world().send({ as: 'integration', method: 'HEAD', url: '/v1/attribute-values/C8' })
    expect(counted.headers['x-erp-total-count']).toBe('50001')
    const refused = await world().send({ as: 'integration', method: 'HEAD', url: '/v1/attribute-values/C8?limit=1' })
    expect(refused.status).toBe(400)
  })
})
