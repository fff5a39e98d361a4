// Schemas with a title stand once among the components and are referred to by name.
import { isDeepStrictEqual } from 'node:util'
import type { Schema } from './document.ts'

/** What must be there in a body that makes a record (decision 2): schemas describe whole answers and do not say. */
const MANDATORY: Readonly<Record<string, readonly string[]>> = {
  AttributeValue: ['attributeId'],
  RelatedValue: ['relationId', 'relatedValue'],
  ContactPoint: ['contactPointType'],
}

const INPUT_NOTE =
  'What is sent: a member that is left out, or null, is absent. Names go in any letter case; scalars convert when nothing is lost, such as "12" for 12.'

/** A whole record as it is answered, or one that is sent, of which most may be left out. */
type Use = 'answer' | 'input'

export class NamedSchemas {
  readonly #named = new Map<string, Schema>()

  /** The schema as it describes answers. */
  refer(schema: object): Schema {
    return this.#refer(schema as Schema, 'answer')
  }

  /** The schema as it describes what is sent to make a record. */
  referInput(schema: object): Schema {
    return this.#refer(schema as Schema, 'input')
  }

  sorted(): Record<string, Schema> {
    return Object.fromEntries([...this.#named].sort(([one], [other]) => (one < other ? -1 : 1)))
  }

  #refer(schema: Schema, use: Use): Schema {
    const { title } = schema
    const content = this.#rewrite(schema, use)
    if (typeof title !== 'string') return content
    const name = use === 'input' ? `${title}Input` : title
    const named = use === 'input' ? { ...content, title: name, description: INPUT_NOTE } : content
    const known = this.#named.get(name)
    if (known && !isDeepStrictEqual(known, named)) throw new Error(`two schemas have the title ${name}`)
    this.#named.set(name, named)
    return { $ref: `#/components/schemas/${name}` }
  }

  /** A copy with every part that is a schema itself referred to. */
  #rewrite(schema: Schema, use: Use): Schema {
    const one = (part: unknown) => (typeof part === 'object' && part ? this.#refer(part as Schema, use) : part)
    const rewritten = Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'items' || keyword === 'additionalProperties') return [keyword, one(value)]
      if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf')
        return [keyword, (value as unknown[]).map(one)]
      if (keyword !== 'properties' && keyword !== 'patternProperties') return [keyword, value]
      const parts = Object.entries(value as object).map(([name, part]) => [name, one(part)])
      return [keyword, Object.fromEntries(parts)]
    })
    const copy: Record<string, unknown> = Object.fromEntries(rewritten)
    if (use === 'answer' || copy.type !== 'object') return copy
    const { required: _ofAnswers, ...free } = copy
    const mandatory = MANDATORY[String(schema.title)]
    return mandatory ? { ...free, required: mandatory } : free
  }
}
