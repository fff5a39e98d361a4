// The examples of the description are real answers, and they conform to the description.
import { Check } from 'typebox/schema'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Operation, Response } from '../../src/http/openapi/document.ts'
import { VALIDATE_ONLY } from '../../src/http/openapi/endpoints.ts'
import { type Exchange, sharedExchanges } from '../../src/http/openapi/operation.ts'
import { answerExamples, type RecordedExamples } from '../support/openapi-examples.ts'

/** ETags of collections and counts are random: no example can show a known one. */
const isUnchangedCollection = (status: string, responses: Operation['responses']) =>
  status === '304' && /Vary/i.test(Object.keys(responses['200']?.headers ?? {}).join())

/** Statuses that no request can provoke: changes that are no longer kept, a bug, an overload. */
const NOT_FOR_THE_ASKING = [408, 410, 429, 500, 503]

let answered: RecordedExamples

beforeAll(async () => {
  answered = await answerExamples()
})

function operations(): [name: string, operation: Operation][] {
  return Object.entries(answered.description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )
}

/** The exchanges that any operation at the path of this one may have. */
function sharedBy(name: string): readonly Exchange[] {
  return sharedExchanges(answered.exchanges, name.slice(name.indexOf(' ') + 1))
}

/** Where the description says what an exchange shows. */
function responseOf(exchange: Exchange): Response | undefined {
  const { operation, request, answer } = exchange
  const found = operations().find(
    ([name, { responses }]) => name === operation || (sharedBy(name).includes(exchange) && responses[answer.status]),
  )
  if (!found) return answered.description.components.responses[operation]
  const [, { responses }] = found
  return responses[answer.status] ?? (validateOnly(request.url) ? responses[VALIDATE_ONLY] : undefined)
}

const validateOnly = (url: string) => url.includes('validateOnly=true')

describe('The examples', () => {
  it('have a status, a body and headers that are described', () => {
    const { components } = answered.description
    for (const exchange of answered.exchanges) {
      const { name, operation, answer } = exchange
      const response = responseOf(exchange)
      expect(response, `${operation}, ${name}: ${answer.status}`).toBeDefined()
      const [media] = Object.values(response?.content ?? {})
      expect({ name, operation, hasBody: answer.body !== undefined }).toEqual({
        name,
        operation,
        hasBody: media !== undefined,
      })
      if (media)
        expect({ name, fits: Check({ components, ...media.schema }, answer.body) }).toEqual({ name, fits: true })
      const described = Object.keys(response?.headers ?? {}).map((header) => header.toLowerCase())
      expect(described).toEqual(expect.arrayContaining(Object.keys(answer.headers ?? {})))
    }
  })

  it('show every status of every endpoint but those that no request can provoke', () => {
    const shown = new Set(
      answered.exchanges.map(
        ({ operation, request, answer }) => `${operation} ${validateOnly(request.url) ? VALIDATE_ONLY : answer.status}`,
      ),
    )
    const missing = operations().flatMap(([name, { responses, tags }]) =>
      // Pages, and metrics, which differ each time.
      tags[0] === 'Description' || name === 'GET /metrics'
        ? []
        : Object.keys(responses)
            .filter((status) => !NOT_FOR_THE_ASKING.includes(Number(status)))
            .filter((status) => !isUnchangedCollection(status, responses))
            // Nothing is done in the examples, so no batch operation ends.
            .filter((status) => status !== '409' || !name.includes('batch-operations'))
            // The metadata of the demo are long.
            .filter((status) => status !== '200' || name !== 'GET /odata/v4/{companyId}/$metadata')
            .filter((status) => !shown.has(`${name} ${status}`))
            .filter((status) => !sharedBy(name).some(({ answer }) => answer.status === Number(status)))
            .map((status) => `${name} ${status}`),
    )
    expect(missing).toEqual([])
  })

  it('send bodies that the description allows, where they were accepted', () => {
    const { components } = answered.description
    for (const [name, { requestBody }] of operations()) {
      for (const { schema, examples = {} } of Object.values(requestBody?.content ?? {})) {
        for (const [example, { value }] of Object.entries(examples)) {
          if (typeof value === 'string') continue
          expect({ name, example, fits: Check({ components, ...schema }, value) }).toEqual({
            name,
            example,
            fits: true,
          })
        }
      }
    }
  })
})
