// The description of the service: OpenAPI 3.1 and its readable page.
import { expect, it } from 'vitest'
import { TAKEN_NAMES } from '../../src/setup/check/declared-documents.ts'
import { BUILT_IN_DOCUMENTS } from '../../src/setup/check/documents.ts'
import { onEachStore } from '../support/world.ts'

type Json = Record<string, unknown>

/** Every $ref of a document, wherever it stands. */
function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : []
  return [...own, ...Object.values(value).flatMap(refsIn)]
}

onEachStore('Description', (world) => {
  const openApi = async () => (await world().send({ url: '/openapi.json' })).json

  it('is OpenAPI 3.1 whose references all resolve, without a token', async () => {
    const document = await openApi()
    expect(document.openapi).toBe('3.1.0')
    expect(document.info).toMatchObject({ title: 'Tabularium', version: expect.any(String) })
    for (const ref of refsIn(document)) {
      const found = ref
        .slice(2)
        .split('/')
        .reduce<unknown>((value, part) => (value as Json | undefined)?.[part], document)
      expect(found, ref).toBeTypeOf('object')
    }
  })

  it('has no address that the name of an own document could take', async () => {
    const taken = [...TAKEN_NAMES, ...BUILT_IN_DOCUMENTS]
    const names = Object.keys((await openApi()).paths).flatMap((path) => /^\/v1\/([a-z-]+)/.exec(path)?.[1] ?? [])
    expect(names.filter((name) => !taken.includes(name))).toEqual([])
  })

  it('describes every declared route, with every status, its body and its headers', async () => {
    const { paths } = await openApi()
    const described = Object.entries(paths as Record<string, Json>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    for (const { method, path } of world().application.router.routes) {
      const readable = path.replace('/*', '/{attributeValue}/{periodFrom}').replace(/:(\w+)/g, '{$1}')
      expect(described).toContain(`${method} ${readable}`)
      const operation = paths[readable][method.toLowerCase()]
      for (const [status, answer] of Object.entries(
        operation.responses as Record<string, { description: string; content?: object; headers: object }>,
      )) {
        expect(answer.headers).toHaveProperty('X-Request-Id')
        const hasBody = answer.content !== undefined
        expect([status, hasBody || /no body|304|as the caller knows it/i.test(answer.description)]).toEqual([
          status,
          true,
        ])
      }
    }
    expect(new Set(described).size).toBe(described.length)
    const ids = Object.values(paths as Record<string, Record<string, { operationId: string }>>).flatMap((methods) =>
      Object.values(methods).map((operation) => operation.operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('answers only statuses that it describes, in the shapes it describes', async () => {
    const { components } = await openApi()
    const created = await world().send({
      as: 'integration',
      method: 'POST',
      url: '/v1/attribute-values',
      body: { attributeId: 'C0', attributeValue: 'DESC' },
    })
    expect(Object.keys(created.json)).toEqual(Object.keys(components.schemas.AttributeValue.properties))
    const [first] = (await world().send({ as: 'integration', url: '/v1/attribute-values/C0?$limit=1' })).json
    expect(Object.keys(first).sort()).toEqual(components.schemas.AttributeValueBase.required.toSorted())
  })
})
