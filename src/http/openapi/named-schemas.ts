// Collects schemas with a title into the components of the description, where they are referred to by name.
import { isDeepStrictEqual } from 'node:util'
import { requiredMembers } from '../../model/record-fields.ts'
import type { Schema } from './document.ts'

const INPUT_NOTE =
  'What is sent: a member that is left out, or null, is absent. Names go in any letter case; scalars convert when nothing is lost, such as "12" for 12.'

const DATE_TIME_RESPONSE_EXAMPLE = '2026-01-31T00:00:00.000'
/** Time and zone are optional. */
const DATE_TIME_INPUT_EXAMPLE = '2026-01-31'

/** A complete record in a response, one restricted by `$select`, or the body that creates one. */
export type SchemaUse = 'answer' | 'selected' | 'input'

const SUFFIX: Readonly<Record<SchemaUse, string>> = { answer: '', selected: 'Selected', input: 'Input' }

const NOTE: Readonly<Partial<Record<SchemaUse, string>>> = {
  selected: 'With `$select`, only the members that it names; without it too, those that a role hides are not there.',
}

/** Keywords whose value is a schema. */
const ONE_SCHEMA = new Set(['items', 'additionalProperties', 'contentSchema'])

export class NamedSchemas {
  readonly #byName = new Map<string, Schema>()

  /** The schema for a use, as a reference if it has a title. */
  refer(schema: object, use: SchemaUse = 'answer'): Schema {
    return this.#refer(schema as Schema, use)
  }

  sorted(): Record<string, Schema> {
    return Object.fromEntries([...this.#byName].sort(([one], [other]) => (one < other ? -1 : 1)))
  }

  #refer(schema: Schema, use: SchemaUse): Schema {
    const { title } = schema
    const content = this.#rewrite(schema, use)
    if (typeof title !== 'string') return content
    const note = use === 'input' ? (content.description ?? INPUT_NOTE) : NOTE[use]
    // A setup may give a document a name whose title is taken, and two documents names with one title.
    for (let copy = 1; ; copy++) {
      const name = title + (copy === 1 ? '' : copy) + SUFFIX[use]
      const named = { ...content, title: name, ...(note === undefined ? {} : { description: note }) }
      const existing = this.#byName.get(name)
      if (existing && !isDeepStrictEqual(existing, named)) continue
      this.#byName.set(name, named)
      return { $ref: `#/components/schemas/${name}` }
    }
  }

  /** A copy in which every nested schema has been through `#refer`. */
  #rewrite(schema: Schema, use: SchemaUse): Schema {
    if (isDateTimeOfRecord(schema)) return dateTimeOf(schema, use)
    const referred = (part: unknown) => (typeof part === 'object' && part ? this.#refer(part as Schema, use) : part)
    const rewritten = Object.entries(schema).map(([keyword, value]) => {
      if (ONE_SCHEMA.has(keyword)) return [keyword, referred(value)]
      if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf')
        return [keyword, (value as unknown[]).map(referred)]
      if (keyword !== 'properties' && keyword !== 'patternProperties') return [keyword, value]
      const parts = Object.entries(value as object).map(([name, part]) => [name, referred(withoutDefault(part))])
      return [keyword, Object.fromEntries(parts)]
    })
    const copy: Record<string, unknown> = Object.fromEntries(rewritten)
    if (use === 'answer' || copy.type !== 'object') return copy
    const { required: _inResponses, ...optional } = copy
    const needed = use === 'input' ? requiredMembers(schema) : []
    return needed.length > 0 ? { ...optional, required: needed } : optional
  }
}

/** Client generators assume that a member with a default is always present. */
function withoutDefault({ default: _dropped, ...member }: Schema): Schema {
  return member
}

/** A date-time of a record has a pattern too, because `date-time` requires the zone that these may lack. */
function isDateTimeOfRecord({ format, pattern }: Schema): boolean {
  return format === 'date-time' && pattern !== undefined
}

function dateTimeOf({ format: _format, pattern, ...schema }: Schema, use: SchemaUse): Schema {
  if (use === 'input') return { examples: [DATE_TIME_INPUT_EXAMPLE], ...schema }
  return { ...schema, pattern, examples: [DATE_TIME_RESPONSE_EXAMPLE] }
}
