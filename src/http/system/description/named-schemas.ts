// Schemas with a title stand once among the components and are referred to by name.
import { isDeepStrictEqual } from 'node:util'
import type { Schema } from './document.ts'

/** What must be there in a body that makes a record (decision 2): schemas describe whole answers and do not say. */
const MANDATORY: Readonly<Record<string, readonly string[]>> = {
  AttributeRelation: ['attributeId', 'attributeValue', 'relatedAttributeId', 'relationValue'],
  AttributeValue: ['attributeId'],
  RelatedValue: ['relationId', 'relatedValue'],
  ContactPoint: ['contactPointType'],
  Customer: ['customerName', 'customerGroupId', 'countryCode', 'contactPoints'],
  Document: ['docType', 'fileContent', 'fileName', 'title'],
  DocumentForm: ['docType', 'title', 'file'],
  DocumentIndex: ['sequenceNo', 'indexValue'],
  DocumentRevision: ['comment', 'fileContent', 'fileName'],
  DocumentRevisionForm: ['comment', 'file'],
}

const INPUT_NOTE =
  'What is sent: a member that is left out, or null, is absent. Names go in any letter case; scalars convert when nothing is lost, such as "12" for 12.'

const DATE_TIME_ANSWERED = '2026-01-31T00:00:00.000'
/** With or without zone, with or without time. */
const DATE_TIME_SENT = '2026-01-31'

/** A record as it is answered; one of which some members were asked for; one that is sent to be made. */
export type Use = 'answer' | 'selected' | 'input'

const SUFFIX: Readonly<Record<Use, string>> = { answer: '', selected: 'Selected', input: 'Input' }

const NOTE: Readonly<Partial<Record<Use, string>>> = {
  selected: 'With `$select`, only the members that it names; without it too, those that a role hides are not there.',
}

/** Keywords that hold one schema. */
const ONE_SCHEMA = new Set(['items', 'additionalProperties', 'contentSchema'])

export class NamedSchemas {
  readonly #named = new Map<string, Schema>()

  /** The schema for a use; a reference when it has a title. */
  refer(schema: object, use: Use = 'answer'): Schema {
    return this.#refer(schema as Schema, use)
  }

  sorted(): Record<string, Schema> {
    return Object.fromEntries([...this.#named].sort(([one], [other]) => (one < other ? -1 : 1)))
  }

  #refer(schema: Schema, use: Use): Schema {
    const { title } = schema
    const content = this.#rewrite(schema, use)
    if (typeof title !== 'string') return content
    const name = title + SUFFIX[use]
    const note = use === 'input' ? (content.description ?? INPUT_NOTE) : NOTE[use]
    const named = note === undefined ? content : { ...content, title: name, description: note }
    const known = this.#named.get(name)
    if (known && !isDeepStrictEqual(known, named)) throw new Error(`two schemas have the title ${name}`)
    this.#named.set(name, named)
    return { $ref: `#/components/schemas/${name}` }
  }

  /** A copy with every part that is a schema itself referred to. */
  #rewrite(schema: Schema, use: Use): Schema {
    if (isDateTimeOfRecord(schema)) return dateTimeOf(schema, use)
    const one = (part: unknown) => (typeof part === 'object' && part ? this.#refer(part as Schema, use) : part)
    const rewritten = Object.entries(schema).map(([keyword, value]) => {
      if (ONE_SCHEMA.has(keyword)) return [keyword, one(value)]
      if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf')
        return [keyword, (value as unknown[]).map(one)]
      if (keyword !== 'properties' && keyword !== 'patternProperties') return [keyword, value]
      const parts = Object.entries(value as object).map(([name, part]) => [name, one(withoutDefault(part))])
      return [keyword, Object.fromEntries(parts)]
    })
    const copy: Record<string, unknown> = Object.fromEntries(rewritten)
    if (use === 'answer' || copy.type !== 'object') return copy
    const { required: _ofAnswers, ...free } = copy
    const mandatory = use === 'input' && MANDATORY[String(schema.title)]
    return mandatory ? { ...free, required: mandatory } : free
  }
}

/** Generators take a member with a default for one that is always there. */
function withoutDefault({ default: _meant, ...member }: Schema): Schema {
  return member
}

/** With a pattern, because the zone may be missing: the standard format would promise too much. */
function isDateTimeOfRecord({ format, pattern }: Schema): boolean {
  return format === 'date-time' && pattern !== undefined
}

function dateTimeOf({ format: _format, pattern, ...schema }: Schema, use: Use): Schema {
  if (use === 'input') return { examples: [DATE_TIME_SENT], ...schema }
  return { ...schema, pattern, examples: [DATE_TIME_ANSWERED] }
}
