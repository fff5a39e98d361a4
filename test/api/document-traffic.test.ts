// Concurrent transfers with reused buffers: each caller gets the right bytes, however slowly they are read,
// and whichever clients disconnect meanwhile.
import { createHash } from 'node:crypto'
import { get, type IncomingMessage, request } from 'node:http'
import { beforeAll, expect, it } from 'vitest'
import { base64, create, DOCUMENTS, noteOf, onEachArchive, urlOf } from '../support/documents.ts'
import { FORM_TYPE, field, file, formOf, listen } from '../support/uploads.ts'

const CONTENTS = 9
/** Several chunks, and no multiple of a buffer size. */
const BYTES = 2_000_003
const ROUNDS = 3

/** Distinct in every part. */
function contentOf(number: number): Buffer {
  const content = Buffer.alloc(BYTES)
  for (let at = 0; at + 8 <= BYTES; at += 8) content.writeDoubleLE(number + at / BYTES, at)
  return content
}

const hashOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

onEachArchive('Many contents in transfer at once', (world) => {
  const contents = Array.from({ length: CONTENTS }, (_one, number) => contentOf(number))
  const hashes = contents.map(hashOf)
  let address = ''
  let headers: Record<string, string> = {}
  let ids: string[] = []
  beforeAll(async () => {
    address = await listen(world())
    headers = { authorization: `Bearer ${await world().token('integration')}` }
    ids = []
    for (const [number, content] of contents.entries()) {
      ids.push((await create(world(), noteOf(`Traffic ${number}`, { fileContent: base64(content) }))).id)
    }
  })

  function answerTo(path: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      get(address + path, { headers, agent: false }, resolve).on('error', reject)
    })
  }

  /** Reads with pauses, so that the service must wait. */
  async function takenSlowly(answer: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = []
    let sinceRest = 0
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      sinceRest += chunk.length
      if (sinceRest < 200_000) continue
      sinceRest = 0
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    return Buffer.concat(chunks)
  }

  async function leftInTheMiddle(path: string): Promise<void> {
    const answer = await answerTo(path)
    answer.once('data', () => answer.destroy())
    await new Promise((resolve) => answer.once('close', resolve))
  }

  function sent(type: string, body: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const sending = request(address + DOCUMENTS, {
        method: 'POST',
        headers: { ...headers, 'content-type': type, 'content-length': body.length },
        agent: false,
      })
      sending.once('response', (answer) => takenSlowly(answer).then(resolve, reject))
      sending.once('error', reject)
      sending.end(body)
    })
  }

  const contentIn = (answer: Buffer): string =>
    hashOf(Buffer.from((JSON.parse(answer.toString()) as { fileContent: string }).fileContent, 'base64'))

  it('are returned to each unchanged, as bytes and in JSON', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const raw = ids.map(async (id) => hashOf(await takenSlowly(await answerTo(urlOf(id, '/content')))))
      const inJson = ids.map(async (id) => contentIn(await takenSlowly(await answerTo(urlOf(id)))))
      const left = ids.map((id, at) => leftInTheMiddle(urlOf(id, at % 2 === 0 ? '/content' : '')))
      expect(await Promise.all([...raw, ...inJson])).toEqual([...hashes, ...hashes])
      await Promise.all(left)
    }
  })

  it('are stored from each unchanged, as forms and in JSON', async () => {
    const inJson = contents.map((content, number) => {
      const body = Buffer.from(JSON.stringify(noteOf(`JSON ${number}`, { fileContent: base64(content) })))
      return sent('application/json', body)
    })
    const forms = contents.map((content, number) => {
      const { docType } = noteOf('') as { docType: string }
      const parts = [field('docType', docType), field('title', `Form ${number}`), file('a.bin', content)]
      return sent(FORM_TYPE['content-type'], formOf(parts))
    })
    const answers = await Promise.all([...inJson, ...forms])
    expect(answers.map(contentIn)).toEqual([...hashes, ...hashes])
    const made = answers.map((answer) => (JSON.parse(answer.toString()) as { id: string }).id)
    const kept = await Promise.all(made.map(async (id) => await takenSlowly(await answerTo(urlOf(id, '/content')))))
    expect(kept.map(hashOf)).toEqual([...hashes, ...hashes])
  })
})
