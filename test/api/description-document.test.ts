// The served description: a valid OpenAPI 3.1 document.
import { readFileSync } from 'node:fs'
import zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { OpenApi, Operation } from '../../src/http/openapi/document.ts'
import { odataEndpoints } from '../../src/odata/described-routes.ts'
import { valueHistoryRoute } from '../../src/records/attribute-values/routes.ts'
import { injectInto } from '../support/inject.ts'
import { DESCRIPTION_FILE } from '../support/openapi-examples.ts'
import { startWorld, type World } from '../support/world.ts'

const BASE_PATH = '/web-api'

let world: World & { stop(): Promise<void> }
let document: OpenApi

beforeAll(async () => {
  world = await startWorld('sqlite', 'test/fixtures/company.yaml', BASE_PATH)
  document = (await world.send({ url: `${BASE_PATH}/openapi.json` })).json
})
afterAll(() => world.stop())

const operations = (): [method: string, path: string, operation: Operation][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, string, Operation] => [method, path, operation]),
  )

/** Every value of a member of this name, at any depth. */
function valuesOf(name: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const own = name in value ? [(value as Record<string, unknown>)[name]] : []
  return [...own, ...Object.values(value).flatMap((inner) => valuesOf(name, inner))]
}

describe('/openapi.json', () => {
  it('is compressed once for all clients', async () => {
    const compress = vi.spyOn(zlib, 'createGzip')
    const url = `${BASE_PATH}/openapi.json`
    const plain = await world.send({ url })
    for (let time = 0; time < 2; time++) {
      const headers = { 'accept-encoding': 'gzip, deflate' }
      const answer = await injectInto(world.application.server, { url, headers })
      const { 'content-encoding': encoding, 'content-type': type, vary } = answer.headers
      expect([answer.statusCode, encoding, vary]).toEqual([
        200,
        'gzip',
        'accept-encoding, accept-language, x-erp-language',
      ])
      expect(type).toBe(plain.headers['content-type'])
      expect(zlib.gunzipSync(answer.rawPayload).toString()).toBe(plain.text)
    }
    expect(compress).not.toHaveBeenCalled()
    compress.mockRestore()
  })

  it('is what is checked in, but for the path that the service is mounted under', () => {
    const checkedIn: OpenApi = JSON.parse(readFileSync(DESCRIPTION_FILE, 'utf8'))
    const { servers, components, ...rest } = document
    expect(servers[0]?.url).toBe(BASE_PATH)
    expect(components.securitySchemes.oauth2).toMatchObject({
      flows: { clientCredentials: { tokenUrl: `${BASE_PATH}/oauth/token` } },
    })
    const { servers: _theirs, components: checkedInParts, ...checkedInRest } = checkedIn
    expect(rest).toEqual(checkedInRest)
    expect(components.schemas).toEqual(checkedInParts.schemas)
    expect(components.responses).toEqual(checkedInParts.responses)
  })

  it('names the product and the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Tabularium', version } })
  })

  it('refers only to what is there, and to all of it', () => {
    const references = valuesOf('$ref', document) as string[]
    const named = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
    expect([...new Set(references)].sort()).toEqual(named.filter((name) => references.includes(name)).sort())
    const used = JSON.stringify(document)
    for (const name of named) expect(used, name).toContain(`"$ref":"${name}"`)
  })

  it('holds every declared route and every endpoint of the service itself', () => {
    const described = operations().map(([method, path]) => `${method.toUpperCase()} ${path}`)
    const declared = [...world.application.router.routes, valueHistoryRoute, ...odataEndpoints].map(
      ({ method, path }) =>
        `${method} ${path.replace('/*', '/{attributeValue}/{periodFrom}').replaceAll(/:(\w+)/g, '{$1}')}`,
    )
    const own = ['POST /oauth/token', ...OWN_PAGES.map((path) => `GET ${path}`)]
    expect(described.sort()).toEqual([...declared, ...own].sort())
  })

  it('answers at every address of its own that it describes', async () => {
    for (const path of OWN_PAGES) expect((await world.send({ url: BASE_PATH + path })).status, path).toBe(200)
  })

  it('gives every operation a name of its own, a summary and a known tag', () => {
    const names = operations().map(([, , { operationId }]) => operationId)
    expect(new Set(names).size).toBe(names.length)
    const tags = document.tags.map(({ name }) => name)
    for (const [, , { operationId, summary, tags: own }] of operations()) {
      expect(operationId).toMatch(/^[a-z][A-Za-z]+$/)
      expect(summary).not.toBe('')
      expect(tags).toContain(own[0])
    }
  })

  it('declares the parameters of every path, once, and no others', () => {
    for (const [, path, { parameters = [] }] of operations()) {
      const inPath = parameters.filter((one) => one.in === 'path').map(({ name, required }) => ({ name, required }))
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, required: true }))
      expect(inPath).toEqual(named)
      const keys = parameters.map((one) => `${one.in} ${one.name}`)
      expect(new Set(keys).size).toBe(keys.length)
    }
  })

  it('says of every status what its body is, or that there is none', () => {
    for (const [method, path, { responses }] of operations()) {
      for (const [status, { description, headers, content }] of Object.entries(responses)) {
        const place = `${method} ${path} ${status}`
        expect(headers, place).toHaveProperty('X-Request-Id')
        if (content)
          expect(
            Object.values(content).every(({ schema }) => Object.keys(schema).length > 0),
            place,
          ).toBe(true)
        else expect(description, place).toMatch(/no body/i)
        if (method === 'head' || status === '304') expect(content, place).toBeUndefined()
      }
    }
  })

  it('asks in bodies only for what a rule asks for, in answers for everything', () => {
    const { AttributeValue, AttributeValueInput, AttributeValueBaseSelected } = document.components.schemas
    expect(AttributeValue?.required).toHaveLength(14)
    expect(AttributeValueInput?.required).toEqual(['attributeId'])
    expect(AttributeValueBaseSelected?.required).toBeUndefined()
  })

  it('takes PATCH bodies of both types', () => {
    const { patch } = document.paths['/v1/attribute-values/{attributeId}/{attributeValue}/{periodFrom}'] ?? {}
    expect(Object.keys(patch?.requestBody?.content ?? {})).toEqual(['application/json', 'application/json-patch+json'])
  })
})

const OWN_PAGES = [
  '/metrics',
  '/.well-known/jwks.json',
  '/health/live',
  '/health/ready',
  '/openapi.json',
  '/docs',
  '/docs/api',
]
