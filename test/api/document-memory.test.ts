// Memory of the service for contents in transfer, measured by the kernel on a process of its own.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOCUMENTS, noteOf, urlOf } from '../support/documents.ts'
import { call, credentials, type Folder, kill, type Serving, serve, temporaryFolder } from '../support/process.ts'
import { S3_ENVIRONMENT, type S3Service, startS3 } from '../support/s3.ts'
import { connectTo, eventually, stagedIn } from '../support/uploads.ts'

const SETUP = 'test/fixtures/documents.yaml'
const CONTENT_BYTES = 50 * 1024 * 1024
const MEGABYTE = 1024 * 1024
/** Generous, for a busy machine. */
const TIMEOUT_MS = 180_000

describe.each(['a folder', 'S3'])('The memory of the service with files in %s', (fileStore) => {
  let folder: Folder
  let service: Serving
  let s3: S3Service | undefined
  beforeAll(async () => {
    folder = temporaryFolder()
    if (fileStore === 'S3') s3 = await startS3()
    const files = s3 ? ['--files', s3.url()] : []
    service = await serve(['--data', folder.path, '--setup', SETUP, ...files], { environment: S3_ENVIRONMENT })
    // Warm-up: modules are loaded on first use.
    for (let round = 0; round < 20; round++) {
      const { text } = await call(service.address + DOCUMENTS, { method: 'POST', body: noteOf(`Warm ${round}`) })
      await call(service.address + urlOf(JSON.parse(text).id))
    }
  })
  afterAll(async () => {
    await kill(service)
    await s3?.stop()
    folder.remove()
  })

  /** Peak or current resident memory of the process, as the kernel counts it. */
  function residentBytes(field: 'VmHWM' | 'VmRSS'): number {
    const status = readFileSync(`/proc/${service.child.pid}/status`, 'utf8')
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024
  }

  /** Streams the same content for all, as JSON: the test itself must not buffer it many times. */
  async function upload(title: string, fill: string): Promise<{ status: number; id: string }> {
    const piece = Buffer.from(Buffer.alloc(MEGABYTE * 3, fill).toString('base64'))
    const pieces = Math.floor(CONTENT_BYTES / (MEGABYTE * 3))
    const head = Buffer.from(`{"docType":"NOTE","title":"${title}","fileName":"a.bin","fileContent":"`)
    let at = -1
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at < 0) controller.enqueue(new Uint8Array(head))
        else if (at < pieces) controller.enqueue(new Uint8Array(piece))
        else if (at === pieces) controller.enqueue(new Uint8Array(Buffer.from('"}')))
        else controller.close()
        at++
      },
    })
    const headers = { authorization: credentials, 'content-type': 'application/json' }
    const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit
    const answer = await fetch(service.address + DOCUMENTS, init)
    // The answer has the content in it: only its beginning is of interest.
    let text = ''
    for await (const chunk of answer.body ?? []) if (text.length < 1_000) text += Buffer.from(chunk).toString()
    return { status: answer.status, id: /"id":"([^"]+)"/.exec(text)?.[1] ?? '' }
  }

  it(
    'grows by less than four times a content that is uploaded and given back',
    async () => {
      const before = residentBytes('VmRSS')
      expect((await upload('Alone', 'a')).status).toBe(201)
      const grown = residentBytes('VmHWM') - before
      expect(grown).toBeLessThan(CONTENT_BYTES * 4)
    },
    TIMEOUT_MS,
  )

  it(
    'grows by a bounded amount when many are uploaded at once',
    async () => {
      const before = residentBytes('VmRSS')
      const answers = await Promise.all(Array.from({ length: 4 }, (_one, at) => upload(`Many ${at}`, String(at))))
      expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(201))
      expect(residentBytes('VmHWM') - before).toBeLessThan(CONTENT_BYTES * 4)
      expect(stagedIn({ folder: folder.path })).toEqual([])
    },
    TIMEOUT_MS,
  )

  it('is not exhausted by clients that read nothing', async () => {
    const { id } = await upload('Read slowly', 'r')
    const before = residentBytes('VmRSS')
    const head = `Host: x\r\nAuthorization: ${credentials}\r\n\r\n`
    const readers = await Promise.all(Array.from({ length: 40 }, () => connectTo(service.address)))
    for (const [at, { socket }] of readers.entries()) {
      socket.pause()
      socket.write(`GET ${urlOf(id, at % 2 === 0 ? '' : '/content')} HTTP/1.1\r\n${head}`)
    }
    // Long enough for all of the content to be read, if nothing held it back.
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(residentBytes('VmRSS') - before).toBeLessThan(CONTENT_BYTES * 4)
    // Other requests are served meanwhile.
    expect((await call(`${service.address}${DOCUMENTS}?limit=1`)).status).toBe(200)
    for (const { socket } of readers) socket.destroy()
    await eventually(async () => (await call(service.address + urlOf(id, '/content'))).status === 200)
  })
})
