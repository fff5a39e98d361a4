import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { dateTime as dateTimeOfRecord } from '../../model/schema.ts'
import { NamedSchemas } from './named-schemas.ts'

const Inner = Type.Object({ size: Type.Integer() }, { title: 'Inner' })
// Members may have the names of keywords.
const Outer = Type.Object(
  { title: Type.String(), required: Type.Boolean(), items: Type.Array(Inner) },
  { title: 'Outer' },
)

describe('a schema with a title', () => {
  it('stands once, and is referred to', () => {
    const schemas = new NamedSchemas()
    expect(schemas.refer(Outer)).toEqual({ $ref: '#/components/schemas/Outer' })
    expect(schemas.refer(Type.Array(Inner))).toEqual({ type: 'array', items: { $ref: '#/components/schemas/Inner' } })
    expect(Object.keys(schemas.sorted())).toEqual(['Inner', 'Outer'])
    expect(schemas.sorted().Outer).toEqual({
      type: 'object',
      title: 'Outer',
      required: ['title', 'required', 'items'],
      properties: {
        title: { type: 'string' },
        required: { type: 'boolean' },
        items: { type: 'array', items: { $ref: '#/components/schemas/Inner' } },
      },
    })
  })

  it('asks for nothing at any depth where it is sent, or some of it is selected', () => {
    const schemas = new NamedSchemas()
    schemas.refer(Outer, 'input')
    schemas.refer(Outer, 'selected')
    const named = schemas.sorted()
    expect(Object.keys(named)).toEqual(['InnerInput', 'InnerSelected', 'OuterInput', 'OuterSelected'])
    for (const schema of Object.values(named)) expect(schema).not.toHaveProperty('required')
    expect(named.OuterInput?.properties).toHaveProperty('required', { type: 'boolean' })
  })

  it('has a number where another one has its title', () => {
    const schemas = new NamedSchemas()
    schemas.refer(Inner)
    schemas.refer(Type.Object({ size: Type.Integer() }, { title: 'Inner' }))
    const other = Type.Object({ other: Type.String() }, { title: 'Inner' })
    for (let time = 0; time < 2; time++) expect(schemas.refer(other)).toEqual({ $ref: '#/components/schemas/Inner2' })
    expect(schemas.refer(other, 'input')).toEqual({ $ref: '#/components/schemas/InnerInput' })
    expect(Object.values(schemas.sorted()).map(({ title }) => title)).toEqual(['Inner', 'Inner2', 'InnerInput'])
  })
})

it('promises no zone where there may be none', () => {
  const dateTime = dateTimeOfRecord({ description: 'Start.' })
  const { pattern, ...answered } = new NamedSchemas().refer(dateTime)
  expect(answered).toEqual({ type: 'string', description: 'Start.', examples: ['2026-01-31T00:00:00.000'] })
  for (const text of ['2026-01-31T00:00:00.000', '2026-01-31T00:00:00.000Z'])
    expect(text).toMatch(new RegExp(`${pattern}`))
  expect(new NamedSchemas().refer(dateTime, 'input')).not.toHaveProperty('pattern')
})

it('keeps what is said of a date-time that has a zone', () => {
  const dateTime = { type: 'string', format: 'date-time', description: 'Start.', 'x-erp-filterable': true }
  expect(new NamedSchemas().refer(dateTime)).toEqual(dateTime)
})

it('has no defaults of members, which generators would take for members that are always there', () => {
  const Ended = Type.Object({ to: Type.Integer({ default: 209_912 }) }, { title: 'Ended' })
  const schemas = new NamedSchemas()
  for (const use of ['answer', 'selected', 'input'] as const) {
    schemas.refer(Ended, use)
    expect(Object.values(schemas.sorted()).at(-1)?.properties).toEqual({ to: { type: 'integer' } })
  }
})
