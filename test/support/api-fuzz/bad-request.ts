// Requests that must be rejected: a legal request with one error.
import type { Schema } from '../../../src/http/openapi/document.ts'
import type { DescribedOperation } from './description.ts'
import { askedOf, type Draft } from './good-request.ts'
import type { Json } from './legal-body.ts'
import { isOData } from './odata/draft.ts'
import { wrongHeaders, wrongOptions } from './odata/faults.ts'
import type { FuzzRequest, Session } from './session.ts'

export interface Fault {
  readonly name: string
  applies(operation: DescribedOperation): boolean
  /** Variations of a draft that must be rejected with the expected statuses. */
  requests(session: Session, draft: Draft): readonly FuzzRequest[]
}

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const LARGE = `{"description":"${'x'.repeat(1024 * 1024)}"}`
const always = () => true
const isProtected = ({ isOpen }: DescribedOperation) => !isOpen
const hasBody = ({ bodySchema }: DescribedOperation) => bodySchema !== undefined
const isRecord = ({ method, bodySchema, isOpen }: DescribedOperation) => !isOpen && method === 'POST' && !!bodySchema
const isPatch = ({ method }: DescribedOperation) => method === 'PATCH'
const inQuery = (operation: DescribedOperation, type: string) =>
  operation.parameters.filter(({ in: place, schema }) => place === 'query' && schema.type === type)

const ask = (draft: Draft, changes: Partial<Draft>, expected: readonly number[], what: string): FuzzRequest =>
  askedOf({ ...draft, ...changes, expected }, what)

const headed = (
  draft: Draft,
  headers: Readonly<Record<string, string>>,
  expected: readonly number[],
  what: string,
): FuzzRequest => ask(draft, { headers: { ...draft.headers, ...headers } }, expected, what)

const access: Fault = {
  name: 'access',
  applies: isProtected,
  requests: (_session, draft) => {
    const asked = askedOf(draft)
    const { operation } = draft
    const unknownCompany =
      operation.method === 'PATCH' && !/^\/v1\/(customers|work-orders)/.test(operation.path) ? 422 : 403
    const inNoBody = typeof draft.body === 'object' && !Array.isArray(draft.body) ? { companyId: 'SV' } : {}
    const body = draft.body && !Array.isArray(draft.body) ? { ...(draft.body as Json), ...inNoBody } : draft.body
    const foreign = isOData(operation)
      ? { params: { ...draft.params, companyId: 'SV' } }
      : ({ query: [...withoutCompany(draft.query), ['companyId', 'SV']], body } as const)
    const twice = { query: [...withoutCompany(draft.query), ['companyId', 'EN'], ['COMPANYID', 'EN']] } as const
    return [
      { ...asked, as: undefined, expected: [401], what: 'no token' },
      {
        ...asked,
        as: undefined,
        headers: { ...asked.headers, authorization: 'Bearer x.y.z' },
        expected: [401],
        what: 'a wrong token',
      },
      // Who may nothing is told so, and so are the operations of a batch.
      ...(['/v1/access', '/v1/batch'].includes(operation.path)
        ? []
        : [{ ...asked, as: 'nobody', expected: [403], what: 'a caller who may nothing' }]),
      ask(draft, foreign, [unknownCompany], 'a company of others'),
      // In a path there is one.
      ...(isOData(operation) ? [] : [ask(draft, twice, [400], 'two companies')]),
    ]
  },
}

function withoutCompany(query: Draft['query']): Draft['query'] {
  return query.filter(([name]) => name !== 'companyId')
}

const edges: Fault = {
  name: 'edges of the server',
  applies: always,
  requests: (_session, draft) => {
    const manyHeaders = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x-${index}`, '']))
    return [
      headed(draft, { 'content-encoding': 'gzip' }, [415], 'a compressed body'),
      headed(draft, manyHeaders, [431], 'more than 100 headers'),
      ask(draft, { query: [...draft.query, ['x', 'x'.repeat(16_400)]] }, [414], 'an address of 16,400 bytes'),
    ]
  },
}

const address: Fault = {
  name: 'the address',
  applies: isProtected,
  requests: (_session, draft) => {
    const asked = askedOf(draft)
    const [path = ''] = asked.url.split('?')
    const values = draft.operation.parameters.filter(({ in: place }) => place === 'path')
    return [
      { ...asked, url: `${path}?${'%zz'}`, expected: [400], what: 'a query that does not decode' },
      ...values.map(({ name }) =>
        ask(draft, { params: { ...draft.params, [name]: 'x'.repeat(513) } }, [414, 404], `a ${name} of 513 characters`),
      ),
    ]
  },
}

/** Addresses and methods that belong to no operation. */
const unrouted: Fault = {
  name: 'no such resource',
  applies: isProtected,
  requests: ({ description, chance }, draft) => {
    const asked = { ...askedOf(draft), operation: undefined, body: undefined, headers: {} }
    const methods = description.methodsOf(draft.operation.path)
    const wrong = ['PUT', 'DELETE', 'PATCH', 'POST', 'OPTIONS', 'GET'].filter((method) => !methods.includes(method))
    const isIncomplete = draft.operation.path.includes('{attributeValue}/{periodFrom}')
    return [
      { ...asked, method: chance.pick(wrong), expected: [405, 404], what: 'a wrong method' },
      ...(isIncomplete
        ? [{ ...asked, url: '/v1/attribute-values/C6/OSLO', method: 'GET', expected: [404], what: 'no period' }]
        : []),
      {
        ...asked,
        url: `/v1/nothing/${draft.operation.id}`,
        method: 'GET',
        expected: [404],
        what: 'an unknown address',
      },
    ]
  },
}

const media: Fault = {
  name: 'the media type and the size of the body',
  applies: hasBody,
  requests: (_session, draft) => {
    const typed = (type: string) => headed(draft, { 'content-type': type }, [415], type)
    const body = draft.operation.id === 'sendBatch' ? LARGE.repeat(4) : LARGE
    const asked = askedOf({ ...draft, body, expected: [413] }, 'a body that is too large')
    return [typed('text/plain'), typed('application/xml'), asked]
  },
}

/** Where no body is needed, one that is sent is read all the same. */
const unasked: Fault = {
  name: 'a body of more than 1 MiB where none is needed',
  applies: ({ method, bodySchema }) => method === 'POST' && !bodySchema,
  requests: (_session, draft) => [ask(draft, { body: LARGE }, [413], 'a large body')],
}

const unknownId: Fault = {
  name: 'an id in the body of a document that is not there',
  applies: ({ id }) => id === 'createDocumentRevision',
  requests: (_session, draft) => [
    ask(draft, { body: { ...(draft.body as Json), id: UNKNOWN_ID } }, [404], 'no document'),
  ],
}

/** Metrics are available to callers on the same machine only; a proxy makes a caller remote. */
const figures: Fault = {
  name: 'figures for others',
  applies: ({ id }) => id === 'readMetrics',
  requests: (_session, draft) => {
    const asked = headed(draft, { 'x-forwarded-for': '192.0.2.1' }, [401], 'figures for others')
    return [asked, { ...asked, as: 'nobody', expected: [403] }]
  },
}

const malformed: Fault = {
  name: 'malformed JSON',
  applies: (operation) => hasBody(operation) && isProtected(operation),
  requests: (_session, draft) =>
    ['', '{', '{"a":1,}', '[1', 'null', '"x"', '{"a":1,"a":2}', '{"__proto__":1}', '\u0000'].map((body) =>
      ask(draft, { body }, [400, 422], `the body ${JSON.stringify(body)}`),
    ),
}

/** Each member that is not a text gets a value of the wrong type; then mandatory members are left out. */
const members: Fault = {
  name: 'members of the body',
  applies: isRecord,
  requests: ({ description }, draft) => {
    const schema = description.resolve(draft.operation.bodySchema ?? {})
    const { properties = {}, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] }
    const body = draft.body as Json
    const typed = Object.entries(properties).filter(([name]) => !IGNORED.has(name))
    return [
      ...typed.map(([name, part]) =>
        ask(
          draft,
          { body: { ...body, [name]: wrongFor(part) } },
          name === 'companyId' ? [400, 403] : [400, 422],
          `a wrong ${name}`,
        ),
      ),
      ...required.map((name) => ask(draft, { body: { ...body, [name]: undefined } }, [400, 422], `no ${name}`)),
    ]
  },
}

/** Members that the service ignores in a body. */
const IGNORED = new Set([
  'notificationMessages',
  'fileContent',
  'docSize',
  'revisionNo',
  'status',
  'id',
  'attributeValueFrom',
  'attributeValueTo',
])

function wrongFor({ type, maxLength }: Schema): unknown {
  if (typeof maxLength === 'number' && maxLength < 5_000) return 'x'.repeat(maxLength + 1)
  return type === 'array' || type === 'object' ? 'neither' : { not: 'a scalar' }
}

const options: Fault = {
  name: 'options',
  applies: ({ parameters }) => parameters.some(({ in: place }) => place === 'query'),
  requests: (_session, draft) => {
    const { operation } = draft
    // In OData the other options decide which are legal beside them.
    const without = (name: string) => (isOData(operation) ? [] : draft.query.filter(([given]) => given !== name))
    const isOne =
      operation.path.includes('{') && !operation.path.endsWith('{attributeId}') && !operation.path.includes('objects')
    const wrong = (name: string, value: string, expected: readonly number[]) =>
      ask(draft, { query: [...without(name), [name, value]] }, expected, `${name}=${value}`)
    const texts = ['$filter', '$orderby', '$select', '$groupby', '$aggregate'].filter((name) =>
      operation.parameters.some((one) => one.name === name),
    )
    return [
      ...inQuery(operation, 'integer').flatMap(({ name }) =>
        ['abc', '1.5', '1e3'].map((value) => wrong(name, value, [400])),
      ),
      ...inQuery(operation, 'boolean').map(({ name }) => wrong(name, 'perhaps', [400])),
      ...inQuery(operation, 'integer').flatMap(({ name, schema }) =>
        typeof schema.maximum === 'number' ? [wrong(name, String(schema.maximum + 1), [400])] : [],
      ),
      ...texts.flatMap((name) =>
        ['nowhere', 'a eq', "'", '((', '\u0000'].map((value) => wrong(name, value, [400, 404])),
      ),
      ...(isOne || operation.method === 'POST' || operation.path === '/v1/access'
        ? []
        : [wrong('$fitler', 'x', [400])]),
    ]
  },
}

const missing: Fault = {
  name: 'a record that is not there',
  applies: ({ parameters }) => parameters.some(({ in: place }) => place === 'path'),
  requests: (_session, draft) => {
    const { operation } = draft
    const values = operation.parameters.filter(({ in: place }) => place === 'path')
    const isPage = operation.id === 'listDocumentRevisions'
    return values.flatMap(({ name, schema }) => {
      const other = (value: string, expected: readonly number[]) =>
        ask(draft, { params: { ...draft.params, [name]: value } }, expected, `the ${name} ${value}`)
      if (schema.format === 'uuid')
        return [other(UNKNOWN_ID, isPage ? [200] : [404]), other('x', operation.method === 'PATCH' ? [404] : [400])]
      if (schema.type === 'integer')
        return [other('209001', [404]), other('99999999999', [400, 404]), other('x', [400, 404])]
      return [other('NOWHERE', UNKNOWN_VALUES[name] ?? [404])]
    })
  },
}

/** In the paths of OData. A text without quotes is no key. */
const UNKNOWN_VALUES: Readonly<Record<string, readonly number[]>> = { companyId: [403], key: [400] }

const odata: Fault = {
  name: 'options and headers of OData',
  applies: isOData,
  requests: (_session, { query: _query, ...draft }) => [
    ...wrongOptions(draft.operation).map(([name, value, status]) =>
      ask({ ...draft, query: [[name, value]] }, {}, [status], `${name}=${value}`),
    ),
    ...wrongHeaders(draft.operation).map(([headers, status]) =>
      headed({ ...draft, query: [] }, headers, [status], JSON.stringify(headers)),
    ),
  ],
}

const operations: Fault = {
  name: 'operations of a patch',
  applies: isPatch,
  requests: (_session, draft) => {
    const code400 = (body: unknown, what: string) => ask(draft, { body }, [400, 422], what)
    return [
      code400({ description: 'x' }, 'a patch that is no array'),
      code400([{ op: 'move', path: '/title', value: 1 }], 'an operation that is none'),
      code400([{ op: 'replace', path: '/nowhere', value: 1 }], 'a path that is none'),
      code400([{ op: 'replace', path: '/__proto__/x', value: 1 }], 'the path __proto__'),
      code400([{ op: 'remove', path: '/contactPoints/7' }], 'an index out of range'),
      code400([{ op: 'replace', path: '/percentage' }], 'an operation without a value'),
      code400([7, null, 'x'], 'operations that are none'),
    ]
  },
}

const grant: Fault = {
  name: 'the grant',
  applies: ({ id }) => id === 'createToken',
  requests: (_session, draft) => [
    ask(draft, { body: 'grant_type=password' }, [400], 'another grant'),
    ask(draft, { body: '' }, [400], 'no grant'),
    ask(draft, { body: 'grant_type=client_credentials&client_id=none&client_secret=x' }, [401], 'no such client'),
    ask(draft, { body: `grant_type=${'x'.repeat(9_000)}` }, [413], 'a form of 9 KB'),
  ],
}

export const FAULTS: readonly Fault[] = [
  access,
  edges,
  address,
  unrouted,
  media,
  malformed,
  members,
  options,
  missing,
  odata,
  operations,
  grant,
  unasked,
  unknownId,
  figures,
]
