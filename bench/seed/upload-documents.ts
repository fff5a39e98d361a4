// Uploads the documents over HTTP, because `import` does not take documents.
import { documents } from '../records/documents.ts'
import type { Scale } from '../records/scale.ts'
import type { Subject } from '../subject.ts'

const AT_ONCE = 16

export async function uploadDocuments({ address }: Subject, token: string, scale: Scale): Promise<void> {
  const waiting = documents(scale)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const work = async () => {
    for (const { content, indexes, ...record } of waiting) {
      const body = JSON.stringify({
        ...record,
        fileContent: Buffer.from(content).toString('base64'),
        indexes: indexes.map((indexValue, at) => ({ sequenceNo: at + 1, indexValue })),
      })
      const answer = await fetch(`${address}/v1/documents`, { method: 'POST', headers, body })
      const text = await answer.text()
      if (answer.status !== 201) throw new Error(`the upload of ${record.title} is answered ${answer.status}: ${text}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}
