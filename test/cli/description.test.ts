// Requests generated from the description, against the demo company: from the examples of parameters, and forms
// from their schemas.
import { Check } from 'typebox/schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenApi, Operation, Parameter, Schema } from '../../src/http/openapi/document.ts'
import { DEMO_AUTHORIZATION, type Demo, startDemo } from '../support/demo.ts'

let demo: Demo
let description: OpenApi

beforeAll(async () => {
  demo = await startDemo(2_000)
  description = (await (await fetch(`${demo.address}/openapi.json`)).json()) as OpenApi
})
afterAll(() => demo.stop())

const send = (path: string, init: RequestInit = {}) =>
  fetch(demo.address + path, { ...init, headers: { ...init.headers, ...DEMO_AUTHORIZATION } })

function resolved(schema: Schema): Schema {
  const { $ref } = schema
  return typeof $ref === 'string' ? (description.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}) : schema
}

function exampleOf({ examples = [] }: Schema): string | undefined {
  const [example] = examples as unknown[]
  return example === undefined ? undefined : String(example)
}

describe('An example of a parameter', () => {
  interface Reading {
    readonly method: 'GET' | 'HEAD'
    readonly path: string
    readonly operation: Operation
  }

  /**
   * The demo has no subscription and no batch operation, and is no mirror; what its own records are called, no
   * declaration says.
   */
  const UNKNOWN = /^\/v1\/(subscriptions|batch-operations|mirror|suppliers|employees|exchange-rates|work-orders)\//

  const readings = (): Reading[] =>
    Object.entries(description.paths).flatMap(([path, { get, head }]) => [
      ...(get && !get.security && !UNKNOWN.test(path) ? [{ method: 'GET', path, operation: get } as const] : []),
      ...(head ? [{ method: 'HEAD', path, operation: head } as const] : []),
    ])

  /** The examples one by one, and all together; each request includes the mandatory ones. */
  function requestsOf({ operation }: Reading): Parameter[][] {
    const given = (operation.parameters ?? []).filter(({ schema }) => exampleOf(schema) !== undefined)
    const isMandatory = ({ description }: Parameter) => description?.startsWith('Mandatory.')
    const always = given.filter((one) => one.in === 'path' || one.schema.type === 'boolean' || isMandatory(one))
    const others = given.filter((one) => !always.includes(one))
    return [always, ...others.map((one) => [...always, one]), given]
  }

  const valuesOf = (parameters: readonly Parameter[], place: Parameter['in']) =>
    parameters.filter((one) => one.in === place).map((one): [string, string] => [one.name, exampleIn(one)])

  /** The demo is younger than the moment that the description names. */
  const exampleIn = ({ name, schema }: Parameter) =>
    /^\$?asOf$/.test(name) ? new Date().toISOString() : (exampleOf(schema) ?? '')

  it('is answered where it stands, as it is described', async () => {
    // Ids of documents are random.
    const { items } = (await (await send('/v1/documents?limit=1')).json()) as { items: { id: string }[] }
    let asked = 0
    for (const reading of readings()) {
      const { method, path, operation } = reading
      for (const parameters of requestsOf(reading)) {
        const named: Record<string, string> = {
          id: items[0]?.id ?? '',
          ...Object.fromEntries(valuesOf(parameters, 'path')),
        }
        const address = path.replaceAll(/\{(\w+)\}/g, (_whole, name) => encodeURIComponent(named[name] ?? ''))
        const isList = operation.parameters?.some(({ name }) => name === '$limit')
        const query: [string, string][] = [
          ...valuesOf(parameters, 'query'),
          ...(isList ? [['$limit', '2'] as [string, string]] : []),
        ]
        const url = `${address}?${new URLSearchParams(query)}`
        const answer = await send(url, { method, headers: Object.fromEntries(valuesOf(parameters, 'header')) })
        const text = await answer.text()
        expect([url, answer.ok, answer.ok || text]).toEqual([url, true, true])
        const { schema } = operation.responses[answer.status]?.content?.['application/json'] ?? {}
        if (schema) {
          const { components } = description
          expect([url, Check({ components, ...schema }, JSON.parse(text))]).toEqual([url, true])
          // The demo has no work orders, no subscriptions and no batch operations.
          if (!/work-orders|^\/v1\/(subscriptions|batch-operations)/.test(url))
            expect([url, text === '[]']).toEqual([url, false])
        }
        asked++
      }
    }
    expect(asked).toBeGreaterThan(100)
  })

  it('is there for each option of a query, of each document', () => {
    let found = 0
    for (const { path, operation } of readings()) {
      if (path === '/{version}/objects/{document}') continue
      const options = (operation.parameters ?? []).filter(({ name }) =>
        ['$select', '$filter', '$orderby'].includes(name),
      )
      for (const { name, schema } of options) {
        expect([path, name, exampleOf(schema)]).toEqual([path, name, expect.any(String)])
        found++
      }
    }
    expect(found).toBeGreaterThan(40)
  })
})

describe('A form that is built from the description', () => {
  const FORM = 'multipart/form-data'
  const CONTENT = 'The quay is free from 1 March on.'

  /** The members that are required, or all that have an example. */
  function formOf(path: string, whole: boolean): FormData {
    const { schema = {}, encoding = {} } = description.paths[path]?.post?.requestBody?.content[FORM] ?? {}
    const { properties = {}, required = [] } = resolved(schema) as {
      properties?: Record<string, Schema>
      required?: string[]
    }
    const form = new FormData()
    for (const [name, member] of Object.entries(properties)) {
      const example = exampleOf(member)
      if (!required.includes(name) && !(whole && example !== undefined)) continue
      const { contentType } = encoding[name] ?? {}
      expect([name, contentType]).toEqual([name, member.contentMediaType])
      if (member.format === 'binary') form.append(name, new Blob([CONTENT], { type: contentType ?? '' }), 'quay.txt')
      else form.append(name, example ?? '')
    }
    return form
  }

  it.each([false, true])('is accepted: with all members that have an example %s', async (whole) => {
    const made = await send('/v1/documents', { method: 'POST', body: formOf('/v1/documents', whole) })
    const document = (await made.json()) as { id: string; fileName: string; fileContent: string }
    expect([made.status, document]).toEqual([
      201,
      expect.objectContaining({ fileName: whole ? 'meeting.txt' : 'quay.txt' }),
    ])
    expect(Buffer.from(document.fileContent, 'base64').toString()).toBe(CONTENT)
    const { schema } = description.paths['/v1/documents']?.post?.responses['201']?.content?.['application/json'] ?? {}
    expect(Check({ components: description.components, ...schema }, document)).toBe(true)

    const path = '/v1/document-revisions/{id}'
    const revised = await send(path.replace('{id}', document.id), { method: 'POST', body: formOf(path, whole) })
    expect([revised.status, await revised.json()]).toEqual([201, expect.objectContaining({ revisionNo: 2 })])
    const form = formOf('/v1/document-revisions', whole)
    form.append('id', document.id)
    const again = await send('/v1/document-revisions', { method: 'POST', body: form })
    expect([again.status, await again.json()]).toEqual([201, expect.objectContaining({ revisionNo: 3 })])
  })
})
