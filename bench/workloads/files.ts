// Documents of 1 MiB with new contents: one random megabyte with a different start each time.
import { randomBytes } from 'node:crypto'
import { SERVED } from '../cast.ts'
import type { Subject } from '../subject.ts'
import type { Sent, Workload } from './workload.ts'

const BYTES = 1024 * 1024
const CONNECTIONS = 8
const FRESH_BYTES = 48
const BOUNDARY = 'bench-boundary'
const RECORD = { docType: 'NOTE', title: 'A megabyte', fileName: 'a.bin' }

/** A multiple of three bytes, so that the start can be replaced in base64. */
const rest = randomBytes(BYTES - FRESH_BYTES)
const restAsBase64 = rest.toString('base64')
const [jsonHead, jsonTail] = JSON.stringify({ ...RECORD, fileContent: '?' }).split('?') as [string, string]

function asJson(): Sent {
  const content = randomBytes(FRESH_BYTES).toString('base64') + restAsBase64
  return { method: 'POST', path: '/v1/documents', body: jsonHead + content + jsonTail }
}

const part = (name: string, text: string) =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
const formHead = Buffer.from(
  `${part('docType', RECORD.docType)}${part('title', RECORD.title)}--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${RECORD.fileName}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
)
const formTail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)

function asForm(): Sent {
  const body = Buffer.concat([formHead, randomBytes(FRESH_BYTES), rest, formTail])
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  return { method: 'POST', path: '/v1/documents', headers, body }
}

const uploads = (name: string, next: () => Sent): Workload => ({
  name,
  writes: false,
  connections: CONNECTIONS,
  next: () => {
    const sent = next()
    return { service: sent, floor: sent }
  },
})

/** Downloads of the documents that were uploaded just before. */
function download(): Workload {
  let path = ''
  return {
    name: 'download of 1 MiB',
    writes: false,
    connections: CONNECTIONS,
    prepare: async (subject, token) => {
      const id = await uploadOne(subject, token)
      if (subject.name === SERVED) path = `/v1/documents/${id}/content`
      return undefined
    },
    next: () => ({ service: { method: 'GET', path }, floor: { method: 'GET', path: '/newest/content' } }),
  }
}

const sameContent = Buffer.concat([Buffer.alloc(FRESH_BYTES), rest]).toString('base64')

async function uploadOne({ address }: Subject, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ ...RECORD, fileContent: sameContent })
  const answer = await fetch(`${address}/v1/documents`, { method: 'POST', headers, body })
  return ((await answer.json()) as { id: string }).id
}

export function files(): Workload[] {
  return [uploads('upload of 1 MiB as JSON', asJson), uploads('upload of 1 MiB as a form', asForm), download()]
}
