// Random selections, filters and orders with the properties that the description declares for an endpoint.
import type { Schema } from '../../../src/http/openapi/document.ts'
import type { Chance } from './chance.ts'
import type { DescribedOperation, Description } from './description.ts'

interface Property {
  /** With `/` between the parts, as in a filter. */
  readonly path: string
  readonly type: string
}

/** The option `entities` of the feed, with a filter and a selection that are valid for each of them. */
export function feedOptionsOf(
  description: Description,
  operation: DescribedOperation,
  chance: Chance,
): [string, string][] {
  const entity = chance.pick(['attribute-values', 'attribute-relations', 'customers', 'document-archive'])
  if (chance.happens(0.3)) return [['entities', `${entity},document-revisions`]]
  const records = { ...operation, path: `/v1/objects/${entity}` }
  const options = ['$filter', '$select'].filter(() => chance.happens(0.5))
  return [
    ['entities', entity],
    ...options.flatMap((option) =>
      selectionOf(description, records, option, chance).map(([name, value]): [string, string] => [
        name.replace('$', ''),
        value,
      ]),
    ),
  ]
}

export function selectionOf(
  description: Description,
  operation: DescribedOperation,
  option: string,
  chance: Chance,
): [string, string][] {
  const properties = propertiesOf(description, operation)
  if (properties.length === 0) return []
  if (option === '$filter') return [[option, filterOf(properties, chance, 2)]]
  const chosen = Array.from({ length: chance.between(1, 4) }, () => chance.pick(properties).path)
  if (option === '$orderby')
    return [[option, chosen.map((path) => path + chance.pick(['', ' asc', ' DESC'])).join(', ')]]
  return [[option, chosen.map(selected).join(',')]]
}

/** Groups, results and a condition on them. */
export function groupingOf(
  description: Description,
  operation: DescribedOperation,
  chance: Chance,
): [string, string][] {
  const properties = propertiesOf(description, operation)
  if (properties.length === 0) return []
  const groups = Array.from({ length: chance.between(1, 3) }, () => chance.pick(properties).path)
  const least = properties.filter(({ type }) => type !== 'boolean')
  const results = ['count() as n', `countDistinct(${chance.pick(properties).path}) as d`]
  if (least.length > 0) results.push(`min(${chance.pick(least).path}) as m`)
  return [
    ['$groupby', groups.join(', ')],
    ['$aggregate', results.join(',')],
    ['$having', `n ge ${chance.between(0, 3)}`],
  ]
}

/** `group/member` is selected as `group(member)`. */
function selected(path: string): string {
  const [group, member] = path.split('/')
  return member === undefined ? path : `${group}(${member})`
}

/** Properties of lists are left out; a count has those of the list at the same address. */
function propertiesOf(description: Description, { path }: DescribedOperation): Property[] {
  const list = description.operations.find((one) => one.path === path && one.method === 'GET')
  const schema = list?.responses['200']?.content?.['application/json']?.schema
  const [whole] = ((schema?.items as Schema | undefined)?.anyOf ?? []) as Schema[]
  return whole ? propertiesIn(description.resolve(whole), '') : []
}

function propertiesIn({ properties }: Schema, prefix: string): Property[] {
  return Object.entries((properties ?? {}) as Record<string, Schema>).flatMap(([name, schema]) => {
    if (schema.type === 'object' && prefix === '') return propertiesIn(schema, `${name}/`)
    if (schema['x-erp-filterable'] !== true) return []
    return [{ path: prefix + name, type: String(schema.format ?? schema.type) }]
  })
}

function filterOf(properties: readonly Property[], chance: Chance, depth: number): string {
  if (depth > 0 && chance.happens(0.4)) {
    const [left, right] = [0, 1].map(() => filterOf(properties, chance, depth - 1))
    return chance.pick([`${left} and ${right}`, `(${left}) OR (${right})`, `not (${left})`])
  }
  const { path, type } = chance.pick(properties)
  const operator = chance.pick(['eq', 'ne', 'gt', 'GE', 'lt', 'le'])
  if (type === 'string') {
    const literal = `'${chance.text().replaceAll("'", "''")}'`
    return chance.pick([
      `${path} ${operator} ${literal}`,
      `contains(${path},${literal})`,
      `${path} in (${literal},'x')`,
    ])
  }
  if (type === 'date-time') return `${path} ${operator} 2026-0${chance.between(1, 9)}-01`
  if (type === 'boolean') return `${path} eq ${chance.happens(0.5)}`
  return `${path} ${operator} ${chance.between(-10, 300_000)}`
}
