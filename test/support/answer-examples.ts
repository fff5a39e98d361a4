// The examples of the description, answered anew: one list of requests, run against the whole application on the demo company.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApplication } from '../../src/app.ts'
import type { Example } from '../../src/http/system/openapi.ts'

const COLLECTION = '/v1/attribute-values'
const OF_ATTRIBUTE = `${COLLECTION}/:attributeId`
const SINGLE = `${OF_ATTRIBUTE}/*`

interface Asked {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly url: string
  readonly name: string
  readonly request?: unknown
  readonly headers?: Record<string, string>
  readonly as?: string
}

const rental = { attributeId: 'C1', attributeValue: '2095', description: 'Oslo, rental', owner: '100' }

const ASKED: readonly Asked[] = [
  {
    method: 'POST',
    path: COLLECTION,
    url: COLLECTION,
    name: 'A cost centre',
    request: { ...rental, relatedValues: [{ relationId: 'CCDEPT', relatedValue: '100', percentage: 100 }] },
  },
  {
    method: 'POST',
    path: COLLECTION,
    url: COLLECTION,
    name: 'A project, numbered by the service',
    request: { attributeId: 'C5', description: 'New warehouse' },
  },
  {
    method: 'POST',
    path: COLLECTION,
    url: COLLECTION,
    name: 'Wrong data type',
    request: { attributeId: 'C1', attributeValue: '2096', periodFrom: 'soon' },
  },
  { method: 'POST', path: COLLECTION, url: COLLECTION, name: 'It exists', request: rental },
  {
    method: 'POST',
    path: COLLECTION,
    url: COLLECTION,
    name: 'Everything that is wrong',
    request: {
      attributeId: 'C1',
      attributeValue: 'no blanks',
      owner: '999',
      contactPoints: [{ contactPointType: '9' }],
    },
  },
  {
    method: 'POST',
    path: COLLECTION,
    url: COLLECTION,
    name: 'Not JSON',
    request: 'a=1',
    headers: { 'content-type': 'text/plain' },
  },
  { method: 'POST', path: COLLECTION, url: COLLECTION, name: 'May only read', request: rental, as: 'demo-reader' },
  {
    method: 'POST',
    path: COLLECTION,
    url: COLLECTION,
    name: 'Too large',
    request: { description: 'x'.repeat(1_100_000) },
  },
  { method: 'GET', path: SINGLE, url: `${COLLECTION}/C1/2010/0`, name: 'A cost centre' },
  { method: 'GET', path: SINGLE, url: `${COLLECTION}/C1/nowhere/0`, name: 'No such value' },
  { method: 'GET', path: SINGLE, url: `${COLLECTION}/C1/2010/0`, name: 'No token', as: '' },
  {
    method: 'GET',
    path: SINGLE,
    url: `${COLLECTION}/C1/2010/0?companyId=SV`,
    name: "Somebody else's company",
    as: 'demo-reader',
  },
  {
    method: 'GET',
    path: OF_ATTRIBUTE,
    url: `${COLLECTION}/C1?$filter=contains(description,%27sales%27)&$select=attributeValue,description&$limit=3`,
    name: 'Cost centres of sales',
  },
  { method: 'GET', path: OF_ATTRIBUTE, url: `${COLLECTION}/C1?$limit=0`, name: 'No limit of 0' },
  {
    method: 'GET',
    path: OF_ATTRIBUTE,
    url: `${COLLECTION}/C1?$filter=descripton%20eq%20%27x%27`,
    name: 'A misspelled property',
  },
  { method: 'GET', path: OF_ATTRIBUTE, url: `${COLLECTION}/XX`, name: 'No such attribute' },
  {
    method: 'PATCH',
    path: SINGLE,
    url: `${COLLECTION}/C1/2095/0`,
    name: 'A description',
    request: [{ op: 'replace', path: '/description', value: 'Oslo, rental and service' }],
  },
  {
    method: 'PATCH',
    path: SINGLE,
    url: `${COLLECTION}/C1/2095/0`,
    name: 'A path that is none',
    request: [{ op: 'replace', path: '/nope', value: 1 }],
  },
  {
    method: 'PATCH',
    path: SINGLE,
    url: `${COLLECTION}/C1/2095/0`,
    name: 'An operation without a path',
    request: [{ op: 'replace', value: 1 }],
  },
  { method: 'PATCH', path: SINGLE, url: `${COLLECTION}/C1/nowhere/0`, name: 'No such value', request: [] },
  {
    method: 'PATCH',
    path: SINGLE,
    url: `${COLLECTION}/C1/2095/0`,
    name: 'Changed since',
    request: [],
    headers: { 'if-match': '"0"' },
  },
  { method: 'DELETE', path: SINGLE, url: `${COLLECTION}/VT/nothing/0`, name: 'No such value' },
  { method: 'DELETE', path: SINGLE, url: `${COLLECTION}/SY/AUTO/0`, name: 'Set by the system' },
  {
    method: 'DELETE',
    path: SINGLE,
    url: `${COLLECTION}/C1/2095/0`,
    name: 'Changed since',
    headers: { 'if-match': '"0"' },
  },
]

/** Asks everything in order on a new store; the clock stands still, so that the same is answered each time. */
export async function answerExamples(): Promise<Example[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-examples-'))
  const application = await buildApplication({
    data: folder,
    setup: 'examples/demo/company.yaml',
    basePath: '',
    observe: () => {},
    onFatal: () => {},
    clock: () => new Date('2026-01-31T12:00:00.000Z'),
  })
  try {
    const examples: Example[] = []
    for (const asked of ASKED) examples.push(await answer(application, asked))
    return examples
  } finally {
    await application.stop(0)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function answer(
  { server }: Awaited<ReturnType<typeof buildApplication>>,
  { method, path, url, name, request, headers, as = 'demo' }: Asked,
): Promise<Example> {
  const secret = { demo: 'demo-secret', 'demo-reader': 'reader-secret' }[as] ?? ''
  const authorization = as && `Basic ${Buffer.from(`${as}:${secret}`).toString('base64')}`
  const answered = await server.inject({
    method,
    url,
    headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}), ...headers },
    ...(request === undefined ? {} : { payload: typeof request === 'string' ? request : JSON.stringify(request) }),
  })
  const isLong = JSON.stringify(request ?? '').length > 2_000
  return {
    method,
    path,
    name,
    status: answered.statusCode,
    ...(request === undefined || isLong ? {} : { request }),
    ...(answered.body === '' ? {} : { answer: answered.json() }),
  }
}
