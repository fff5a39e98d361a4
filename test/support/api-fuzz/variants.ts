// Variations of legal requests: conditional, retried, validation-only, ranges, forms, other media types.

import { formOf, FORM_TYPE as MULTIPART } from '../uploads.ts'
import type { DescribedOperation } from './description.ts'
import { CALLER, type Draft, goodDraft, needsRecord, newRecord, perform, resourceOf } from './good-request.ts'
import type { Json } from './legal-body.ts'
import { isOData } from './odata/draft.ts'
import type { Session } from './session.ts'

export interface Variant {
  readonly name: string
  applies(operation: DescribedOperation): boolean
  /** Sends its requests; every answer is checked against the description. */
  run(session: Session, operation: DescribedOperation): Promise<void>
}

const isWrite = ({ method, isOpen }: DescribedOperation) => !isOpen && method !== 'GET' && method !== 'HEAD'
const takes = (name: string) => (operation: DescribedOperation) => operation.parameters.some((one) => one.name === name)

/** A draft about an existing, unchanged record. */
async function freshDraft(session: Session, operation: DescribedOperation): Promise<Draft> {
  const resource = resourceOf(operation)
  if (resource === undefined || !needsRecord(operation)) return goodDraft(session, operation)
  session.made.length = 0
  await newRecord(session, resource)
  for (;;) {
    const draft = await goodDraft(session, operation)
    if (draft.record && !draft.record.isDeleted) return draft
  }
}

function withHeaders(draft: Draft, headers: Readonly<Record<string, string>>, expected: readonly number[]): Draft {
  return { ...draft, headers: { ...draft.headers, ...headers }, expected }
}

/** The ETag of the record that a draft is about. */
async function tagOf(session: Session, draft: Draft): Promise<string> {
  const resource = resourceOf(draft.operation)
  const reader = session.description.operations.find(
    ({ method, path, responses }) =>
      method === 'GET' &&
      path.startsWith(`/v1/${resource}/`) &&
      path !== '/v1/attribute-values/{attributeId}' &&
      responses['200']?.headers.ETag !== undefined,
  )
  if (!reader) throw new Error(`nothing reads one of ${resource}`)
  const body = draft.body as Json | undefined
  const params = draft.operation.id === 'createDocumentRevision' ? { id: String(body?.id) } : draft.params
  const answer = await perform(session, {
    operation: reader,
    record: undefined,
    params,
    query: [],
    headers: {},
    expected: [200],
  })
  return String(answer.headers.etag)
}

const location: Variant = {
  name: 'what is created is at its Location',
  applies: ({ method, responses }) => method === 'POST' && responses['201']?.headers.Location !== undefined,
  run: async (session, operation) => {
    const draft = await freshDraft(session, operation)
    const created = await perform(session, { ...draft, query: [] })
    const url = String(created.headers.location)
    const read = session.description.operations.find(
      ({ method, path }) => method === 'GET' && new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(url),
    )
    await session.send({ operation: read, method: 'GET', url, as: 'integration', expected: [200], what: 'Location' })
  },
}

const MOST_TRIES = 5

const known: Variant = {
  name: 'If-None-Match',
  applies: takes('If-None-Match'),
  run: async (session, operation) => {
    const fresh = await freshDraft(session, operation)
    // Collections of the past have no tag.
    const draft = { ...fresh, query: fresh.query.filter(([name]) => name !== '$asOf') }
    // Another sequence may change the state in between: then the answer has another tag, which is tried next.
    for (let tries = 1; ; tries++) {
      const tag = (await perform(session, { ...draft, expected: [200] })).headers.etag
      // Rows of external tables have no state that could be reported.
      const expected = tag === undefined ? [200] : tries < MOST_TRIES ? [304, 200] : [304]
      const again = await perform(session, withHeaders(draft, { 'if-none-match': String(tag) }, expected))
      if (again.status === 304 || tag === undefined) break
      if (again.headers.etag === tag) throw new Error(`${operation.id}: 200 with the tag that was sent`)
    }
    await perform(session, withHeaders(draft, { 'if-none-match': '"0"' }, [200]))
  },
}

const matching: Variant = {
  name: 'If-Match',
  applies: takes('If-Match'),
  run: async (session, operation) => {
    const draft = await freshDraft(session, operation)
    await perform(session, withHeaders(draft, { 'if-match': '"0"' }, [409]), 'a stale If-Match')
    const tag = await tagOf(session, draft)
    await perform(session, withHeaders(draft, { 'if-match': tag }, draft.expected), 'a current If-Match')
  },
}

let keys = 0

const repeated: Variant = {
  name: 'Idempotency-Key',
  applies: isWrite,
  run: async (session, operation) => {
    const draft = withHeaders(await freshDraft(session, operation), { 'idempotency-key': `key-${++keys}` }, [])
    const first = await perform(session, draft)
    const second = await perform(session, { ...draft, expected: [first.status] }, 'a repeat')
    // The answer of a batch says of each operation whether it is a repeat.
    if (second.text !== first.text && operation.id !== 'sendBatch')
      throw new Error(`${operation.id}: a repeat was answered otherwise`)
    const other = { ...draft, query: [...draft.query, ['x', 'y']] as const, expected: [422] }
    await perform(session, other, 'another request under the same key')
    await perform(session, withHeaders(draft, { 'idempotency-key': ' ' }, [400]), 'a key that is none')
    await perform(session, withHeaders(draft, { 'idempotency-key': 'x'.repeat(256) }, [400]), 'a key of 256')
  },
}

const twice: Variant = {
  name: 'the same again',
  applies: ({ id }) => AGAIN[id] !== undefined,
  run: async (session, operation) => {
    const { body, ...draft } = await goodDraft(session, operation)
    // An existing relation would be another error.
    const alone = { ...draft, query: [], body: { ...(body as Json), relatedValues: undefined } }
    await perform(session, alone)
    await perform(session, { ...alone, expected: [AGAIN[operation.id] ?? 0] }, 'the same again')
  },
}

/** The status for creating a record that exists already (decisions 2, 3, 5). */
const AGAIN: Readonly<Record<string, number>> = {
  createAttributeValue: 409,
  createAttributeRelation: 422,
  createCustomer: 400,
  createDocument: 201,
}

const validation: Variant = {
  name: 'validateOnly',
  applies: takes('validateOnly'),
  run: async (session, operation) => {
    const draft = await freshDraft(session, operation)
    const query = (text: string) => [...draft.query, ['validateOnly', text]] as const
    await perform(session, { ...draft, query: query('true'), expected: [200] }, 'validation alone')
    await perform(session, { ...draft, query: query('perhaps'), expected: [400] }, 'validation alone, misspelt')
    await perform(session, { ...draft, query: query('false') }, 'no validation')
  },
}

const form: Variant = {
  name: 'multipart/form-data',
  applies: ({ bodyTypes }) => bodyTypes.includes('multipart/form-data'),
  run: async (session, operation) => {
    const draft = await freshDraft(session, operation)
    const { fileContent, fileName, ...fields } = draft.body as Json
    const parts = Object.entries(fields)
      .filter(([, value]) => typeof value !== 'object')
      .map(([name, value]) => ({ name, value: String(value) }))
    const file = { name: 'file', fileName: String(fileName), value: Buffer.from(String(fileContent), 'base64') }
    await perform(
      session,
      { ...withHeaders(draft, MULTIPART, draft.expected), body: formOf([...parts, file]) },
      'a form',
    )
    const broken = formOf([...parts, file]).subarray(0, 120)
    await perform(session, { ...withHeaders(draft, MULTIPART, [400]), body: broken }, 'a form that is cut off')
  },
}

const parts: Variant = {
  name: 'Range',
  applies: takes('Range'),
  run: async (session, operation) => {
    const draft = await freshDraft(session, operation)
    const ofPart = operation.method === 'GET' ? [206, 416] : [200, 200]
    await perform(session, withHeaders(draft, { range: 'bytes=0-3' }, [ofPart[0]!]), 'a part')
    await perform(session, withHeaders(draft, { range: 'bytes=1000000-' }, [ofPart[1]!]), 'a part that is not there')
    await perform(session, withHeaders(draft, { 'if-none-match': '*' }, [304]), 'a file that is known')
    await perform(session, withHeaders(draft, { 'if-match': '"0"' }, [412]), 'another file than the named one')
  },
}

const ACCEPTED = [
  'application/x-ndjson',
  'text/csv',
  'application/vnd.apache.parquet',
  'application/schema+json',
  'text/html',
  'x/y;q=0',
]

const accepted: Variant = {
  name: 'Accept',
  applies: (operation) => operation.method === 'GET' && !operation.isOpen && !isOData(operation),
  run: async (session, operation) => {
    const draft = await freshDraft(session, operation)
    const queries = operation.path.includes('/objects/') ? ACCEPTED : ACCEPTED.slice(3)
    for (const accept of queries)
      await perform(session, withHeaders(draft, { accept }, draft.expected), `Accept: ${accept}`)
  },
}

const ODATA_ACCEPTED = ['application/json', 'application/json;odata.metadata=none', '*/*', 'text/html;q=0,*/*;q=0.1']

const acceptedInOData: Variant = {
  name: 'Accept in OData',
  applies: isOData,
  run: async (session, operation) => {
    const { query: _format, ...draft } = await goodDraft(session, operation)
    for (const accept of ODATA_ACCEPTED) {
      await perform(session, withHeaders({ ...draft, query: [] }, { accept }, draft.expected), `Accept: ${accept}`)
    }
  },
}

/** As OData 4.01 lets them be written. */
const optionNames: Variant = {
  name: 'names of options without a dollar sign, in any letter case',
  applies: isOData,
  run: async (session, operation) => {
    const draft = await goodDraft(session, operation)
    for (const spell of [(name: string) => name.slice(1), (name: string) => name.toUpperCase()]) {
      await perform(session, { ...draft, query: draft.query.map(([name, value]) => [spell(name), value]) }, 'names')
    }
  },
}

const MOST_PAGES = 3

const nextPages: Variant = {
  name: '@odata.nextLink',
  applies: takes('$skiptoken'),
  run: async (session, operation) => {
    const headers = { prefer: 'odata.maxpagesize=1' }
    const draft = withHeaders(await goodDraft(session, operation), headers, [200, 404])
    let { json } = await perform(session, draft, 'the first page')
    for (let pages = 1; pages < MOST_PAGES && json?.['@odata.nextLink'] !== undefined; pages++) {
      const { pathname, search } = new URL(String(json['@odata.nextLink']))
      const asked = { operation, method: 'GET', url: pathname + search, headers, as: CALLER }
      ;({ json } = await session.send({ ...asked, expected: [200, 404], what: 'the next page' }))
    }
  },
}

export const VARIANTS: readonly Variant[] = [
  location,
  known,
  matching,
  repeated,
  twice,
  validation,
  form,
  parts,
  accepted,
  acceptedInOData,
  optionNames,
  nextPages,
]
