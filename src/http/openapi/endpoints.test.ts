import { Type } from 'typebox'
import { expect, it } from 'vitest'
import type { DescribedRoute } from '../route/route.ts'
import { endpointsOf } from './endpoints.ts'

function route(
  method: DescribedRoute['method'],
  path: string,
  inPath: string[] = [],
  answered = Type.Object({}),
  isCounted = false,
): DescribedRoute {
  const parameters = inPath.map((name) => ({ name, in: 'path', description: '', schema: Type.String() }) as const)
  const headers: Record<string, string> = isCounted ? { 'X-ERP-Total-Count': '' } : {}
  const answers = { 200: { description: '', schema: answered, headers } }
  return { method, path, parameters, answers, permit: 'any:read', summary: '' }
}

const array = Type.Array(Type.Object({})) as never

it('gives every route a readable path, a name and a tag', () => {
  const routes = [
    route('POST', '/v1/attribute-values'),
    route('GET', '/v1/attribute-values/:attributeId/*', ['attributeId', 'attributeValue', 'periodFrom']),
    route('GET', '/v1/attribute-values/:attributeId', ['attributeId'], array),
    route('HEAD', '/v1/attribute-values/:attributeId', ['attributeId'], Type.Object({}), true),
    route('GET', '/v1/documents', [], array),
    route('GET', '/v1/documents/:id', ['id']),
    route('GET', '/v1/documents/:id/thumbnail', ['id']),
    route('GET', '/v1/documents/:id/content', ['id']),
    route('HEAD', '/v1/documents/:id/content', ['id']),
    route('GET', '/v1/objects/companies', [], array),
    { ...route('GET', '/odata/v4/:companyId/:entitySet(:key)'), operationId: 'readOne' },
  ]
  expect(endpointsOf(routes).map(({ path, operationId, tag }) => [path, operationId, tag])).toEqual([
    ['/v1/attribute-values', 'createAttributeValue', 'Attribute values'],
    ['/v1/attribute-values/{attributeId}/{attributeValue}/{periodFrom}', 'readAttributeValue', 'Attribute values'],
    ['/v1/attribute-values/{attributeId}', 'listAttributeValues', 'Attribute values'],
    ['/v1/attribute-values/{attributeId}', 'countAttributeValues', 'Attribute values'],
    ['/v1/documents', 'listDocuments', 'Documents'],
    ['/v1/documents/{id}', 'readDocument', 'Documents'],
    ['/v1/documents/{id}/thumbnail', 'readDocumentThumbnail', 'Documents'],
    ['/v1/documents/{id}/content', 'readDocumentContent', 'Documents'],
    ['/v1/documents/{id}/content', 'probeDocumentContent', 'Documents'],
    ['/v1/objects/companies', 'listObjectCompanies', 'Objects'],
    ['/odata/v4/{companyId}/{entitySet}({key})', 'readOne', 'OData'],
  ])
})

it('refuses two routes that would have one name', () => {
  const routes = [
    route('GET', '/v1/a/:id', ['id']),
    route('GET', '/v2/a/:id', ['id']),
    route('GET', '/v3/a/:id', ['id']),
  ]
  expect(() => endpointsOf(routes)).toThrow('two endpoints would be called readAById')
})

it('adds what the server answers by itself, and keeps what the route says of it', () => {
  const [endpoint] = endpointsOf([{ ...route('DELETE', '/v1/a'), answers: { 400: { description: 'own' } } }])
  expect(Object.keys(endpoint?.answers ?? {})).toEqual([
    '400',
    '401',
    '403',
    '414',
    '415',
    '422',
    '429',
    '431',
    '500',
    '503',
  ])
  expect(endpoint?.answers[400]).toEqual({ description: 'own' })
})

it('describes all refusals of a route in its own form', () => {
  const form = { schema: Type.Object({ error: Type.String() }), headers: { 'X-Form': 'Of its own.' } }
  const allowed = { 405: { description: 'Not that.', headers: { Allow: 'What else.' } } }
  const [endpoint] = endpointsOf([{ ...route('GET', '/v1/a'), answers: allowed, problemDescription: form }])
  expect(endpoint?.answers[405]).toEqual({
    description: 'Not that.',
    schema: form.schema,
    headers: { Allow: 'What else.', 'X-Form': 'Of its own.' },
  })
  expect(Object.values(endpoint?.answers ?? {}).map(({ schema }) => schema)).toEqual(Array(10).fill(form.schema))
})
