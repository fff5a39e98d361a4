// Requests of one client that two servers answer in turn: what one has written, the other reads and changes.
import { expect } from 'vitest'
import { fetchWhole, sendFile } from '../reliability/durability/document-client.ts'
import { DOCUMENTS, REVISIONS } from '../support/documents.ts'
import { type Call, call } from '../support/process.ts'

const VALUES = '/v1/attribute-values'

/** `name` is new: the values and documents are named after it. */
export async function walk(name: string, first: string, second: string): Promise<void> {
  await writeValues(name, first, second)
  await refuse(name, second)
  await writeInBatch(name, first, second)
  await fileDocument(name, first, second)
}

async function writeValues(name: string, first: string, second: string): Promise<void> {
  const headers = { 'idempotency-key': `"${name}"` }
  const body = { attributeId: 'C1', attributeValue: name, description: 'as created' }
  const created = await answer(201, first + VALUES, { method: 'POST', body, headers })
  const repeated = await answer(201, second + VALUES, { method: 'POST', body, headers })
  expect(repeated.text).toBe(created.text)
  const url = `${VALUES}/C1/${name}/0`
  const tag = (await answer(200, second + url)).headers.get('etag') ?? ''
  const patch = [{ op: 'replace', path: '/description', value: 'as changed' }]
  await answer(200, second + url, { method: 'PATCH', body: patch, headers: { 'if-match': tag } })
  const read = await answer(200, first + url)
  expect(JSON.parse(read.text)).toMatchObject({ attributeValue: name, description: 'as changed' })
  await answer(409, first + url, { method: 'PATCH', body: patch, headers: { 'if-match': tag } })
  await answer(304, second + url, { headers: { 'if-none-match': read.headers.get('etag') ?? '' } })
}

async function refuse(name: string, second: string): Promise<void> {
  await answer(409, second + VALUES, { method: 'POST', body: { attributeId: 'C1', attributeValue: name } })
  await answer(422, second + VALUES, { method: 'POST', body: { attributeId: 'C1', attributeValue: 'x'.repeat(26) } })
}

async function writeInBatch(name: string, first: string, second: string): Promise<void> {
  const requests = ['a', 'b'].map((id) => ({
    id,
    method: 'POST',
    url: VALUES,
    body: { attributeId: 'C1', attributeValue: `${name}-${id}` },
  }))
  await answer(200, `${first}/v1/batch`, { method: 'POST', body: { requests } })
  const query = `filter=startsWith(attributeValue,'${name}')&select=attributeValue&orderBy=attributeValue`
  const found = await answer(200, `${second}/v1/objects/attribute-values?${query}`)
  const names = (JSON.parse(found.text) as { attributeValue: string }[]).map((one) => one.attributeValue)
  expect(names).toEqual([name, `${name}-a`, `${name}-b`])
}

async function fileDocument(name: string, first: string, second: string): Promise<void> {
  const contents = [Buffer.from(`the first text of ${name}`), Buffer.from(`another text of ${name}`)] as const
  const made = await sendFile(first + DOCUMENTS, { docType: 'NOTE', title: name, fileName: 'a.txt' }, contents[0])
  expect({ status: made.status, text: made.text }).toMatchObject({ status: 201 })
  const { id } = JSON.parse(made.text) as { id: string }
  const revised = await sendFile(
    `${second}${REVISIONS}/${id}`,
    { comment: 'again', fileName: 'b.txt' },
    contents[1],
    true,
  )
  expect({ status: revised.status, text: revised.text }).toMatchObject({ status: 201 })
  for (const [at, content] of contents.entries()) {
    for (const address of [first, second]) {
      const read = await fetchWhole(`${address}${REVISIONS}/${id}/${at + 1}/content`)
      expect(read.bytes.toString()).toBe(content.toString())
    }
  }
}

/** Sends the request; shows what was answered when the status is another. */
export async function answer(status: number, url: string, request: Call = {}) {
  const answered = await call(url, request)
  expect({ url, status: answered.status, text: answered.status === status ? '' : answered.text }).toEqual({
    url,
    status,
    text: '',
  })
  return answered
}
