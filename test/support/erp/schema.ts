// What the ERP says about its documents.
import { isGroup, isList, type Kind, type Property, type Shape } from './kind.ts'

export interface SchemaForm {
  /** Before the names of annotations, such as `x-erp-`. */
  readonly prefix: string
  /** Whether the schema is that of the answer, an array, or that of one row. */
  readonly isArray: boolean
}

export function schemaOf(kind: Kind, version: number, { prefix, isArray }: SchemaForm): object {
  const row = {
    title: kind.name,
    type: 'object',
    [`${prefix}key`]: { keys: ['companyId', ...kind.key].join(',') },
    properties: propertiesOf(kind.shape, version, prefix),
  }
  return isArray ? { title: kind.name, type: 'array', items: row } : row
}

function propertiesOf(shape: Shape, version: number, prefix: string): object {
  const properties: Record<string, object> = {}
  for (const [name, member] of Object.entries(shape)) {
    if (isList(member)) {
      const items = { type: 'object', properties: propertiesOf(member.list, version, prefix) }
      properties[name] = { type: 'array', items }
    } else if (isGroup(member)) {
      properties[name] = { type: 'object', properties: propertiesOf(member.group, version, prefix) }
    } else if ((member.since ?? 1) <= version) properties[name] = propertyOf(name, member, prefix)
  }
  return properties
}

function propertyOf(name: string, property: Property, prefix: string): object {
  const { type, maxLength, attributeId, valueList, isMandatory, isText } = property
  const isCode = attributeId !== undefined || valueList !== undefined
  return {
    ...(type === 'date-time' ? { type: 'string', format: type } : { type }),
    // Decimals that are answered as texts are described so; whole numbers are described as such all the same.
    ...(isText && type === 'number' && { type: 'string', format: 'decimal' }),
    ...(maxLength !== undefined && { maxLength }),
    [`${prefix}filterable`]: true,
    ...(isCode && { [`${prefix}describable`]: { propertyName: `${name}(description)` } }),
    ...(attributeId !== undefined && { [`${prefix}attribute`]: { attributeId } }),
    ...(valueList !== undefined && { [`${prefix}valueList`]: { valueList } }),
    ...(isMandatory && { [`${prefix}mandatory`]: true }),
  }
}

export function listOf(kinds: Iterable<Kind>): object[] {
  return [...kinds]
    .filter(({ isDescribed }) => isDescribed)
    .flatMap(({ name, versions }) =>
      versions.map((version) => ({ href: `/v${version}/objects/${name}`, name, version })),
    )
}

/** A description in the manner of OpenAPI, of reading alone. */
export function descriptionOf(kinds: Iterable<Kind>, form: SchemaForm): object {
  const described = [...kinds].filter(({ isDescribed }) => isDescribed)
  const paths = described.flatMap((kind) =>
    kind.versions.map((version) => {
      const schema = { type: 'array', items: schemaOf(kind, version, { ...form, isArray: false }) }
      const content = { 'application/json': { schema } }
      const get = { responses: { 200: { description: 'OK', content } } }
      return [`/v${version}/objects/${kind.name}`, { get }] as const
    }),
  )
  return { openapi: '3.0.1', info: { title: 'ERP', version: '1' }, paths: Object.fromEntries(paths) }
}
