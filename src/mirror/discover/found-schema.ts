import { isObject, jsonOrUndefined } from '../../base/strict-json.ts'

// The JSON Schema with which a source describes a document. Its own annotations have whatever prefix its vendor gives
// them, such as `x-erp-key`.

interface FoundMember {
  readonly name: string
  readonly schema: MemberSchema
  /** Only answered when it is named. */
  readonly isOnRequest: boolean
}

export interface MemberSchema {
  readonly type?: unknown
  readonly format?: unknown
  readonly title?: unknown
  readonly description?: unknown
  readonly maxLength?: unknown
  readonly multipleOf?: unknown
  readonly properties?: Readonly<Record<string, MemberSchema>>
  readonly items?: MemberSchema
  readonly [annotation: string]: unknown
}

interface CustomGroup {
  readonly name: string
  readonly fields: { readonly name: string; readonly type: FieldType }[]
}

type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'date-time'

/** What a code means is answered beside it, under its name with this behind. */
export const DESCRIPTION = '(description)'

export interface FoundSchema {
  readonly description: string | undefined
  /** With the company; undefined: it does not tell. */
  readonly key: readonly string[] | undefined
  readonly members: readonly FoundMember[]
  /** The attribute whose values the records are. */
  readonly relation: string | undefined
  readonly customFieldGroups: readonly CustomGroup[]
}

/** Undefined where the answer is no schema, but rows. */
export function schemaIn(body: string): FoundSchema | undefined {
  const root = jsonOrUndefined(body)
  if (!isSchema(root)) return undefined
  const record = isSchema(root.items) ? root.items : root
  if (!isSchema(record.properties)) return undefined
  const onRequest = annotation(record, 'onRequest') as MemberSchema | undefined
  const further = isSchema(onRequest?.properties) ? onRequest.properties : {}
  const { keys } = (annotation(record, 'key') ?? {}) as { readonly keys?: unknown }
  const { attributeId } = (annotation(record, 'relation') ?? {}) as { readonly attributeId?: unknown }
  return {
    description: typeof root.description === 'string' ? root.description : undefined,
    key: typeof keys === 'string' ? keys.split(',').map((name) => name.trim()) : undefined,
    members: [...membersOf(record.properties, false), ...membersOf(further, true)],
    relation: typeof attributeId === 'string' && /^[^,]{1,25}$/.test(attributeId) ? attributeId : undefined,
    customFieldGroups: customGroups({ ...record.properties, ...further }),
  }
}

/** An annotation by its name behind the vendor's prefix. */
export function annotation(schema: MemberSchema, name: string): unknown {
  const found = Object.keys(schema).find((key) => key.startsWith('x-') && key.endsWith(`-${name}`))
  return found === undefined ? undefined : schema[found]
}

function membersOf(properties: Readonly<Record<string, MemberSchema>>, isOnRequest: boolean): FoundMember[] {
  return Object.entries(properties)
    .filter(([name, schema]) => !name.endsWith(DESCRIPTION) && isSchema(schema))
    .map(([name, schema]) => ({ name, schema, isOnRequest }))
}

function customGroups({ customFieldGroups }: Readonly<Record<string, MemberSchema>>): CustomGroup[] {
  return Object.entries(customFieldGroups?.properties ?? {}).flatMap(([name, group]) => {
    const fields = Object.entries(group.properties ?? {}).flatMap(([field, schema]) => {
      const type = field.endsWith(DESCRIPTION) ? undefined : fieldType(schema)
      return type ? [{ name: field, type }] : []
    })
    return fields.length > 0 ? [{ name, fields }] : []
  })
}

/** The type of a single value; undefined for anything else. */
export function fieldType({ type, format }: MemberSchema): FieldType | undefined {
  const [named] = Array.isArray(type) ? type.filter((one) => one !== 'null') : [type]
  if (named === 'string') return format === 'date-time' || format === 'date' ? 'date-time' : 'string'
  return named === 'integer' || named === 'number' || named === 'boolean' ? named : undefined
}

function isSchema(value: unknown): value is MemberSchema {
  return isObject(value)
}
