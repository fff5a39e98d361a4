// The content of a document as it is received.
import { Problem } from '../problems.ts'

export interface ArchivedFile {
  readonly contentType: string
  readonly sizeBytes: number | undefined
  /** As the service has stored it: SHA-256 in hex. */
  readonly sha256: string
  /** Read it or cancel it. A content that is damaged ends in an error. */
  readonly stream: ReadableStream<Uint8Array>
  /** Reads everything, and throws if its hash is another one. */
  readonly bytes: () => Promise<Uint8Array<ArrayBuffer>>
}

export function downloadOf(answer: Response): ArchivedFile {
  const { headers } = answer
  const sha256 = (headers.get('etag') ?? '').replace(/^(?:W\/)?"|"$/g, '')
  const length = headers.get('content-length')
  return {
    contentType: headers.get('content-type') ?? '',
    // The length of a compressed answer is not that of the content.
    sizeBytes: length === null || headers.has('content-encoding') ? undefined : Number(length),
    sha256,
    stream: answer.body ?? new Blob([]).stream(),
    bytes: async () => {
      const content = await answer.arrayBuffer()
      const found = await sha256Of(content)
      if (found !== sha256) throw new Problem(`The content has another hash: ${found}.`)
      return new Uint8Array(content)
    },
  }
}

/** In hex. */
export async function sha256Of(content: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', content))
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
