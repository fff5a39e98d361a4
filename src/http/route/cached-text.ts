// A public text or file that is the same for everybody: hashed and compressed only once.
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { gzipSync } from 'node:zlib'
import { holdsTag } from '../../base/etag.ts'
import { ACCEPTS_GZIP } from './response-cache.ts'
import type { Reply } from './send.ts'

export class CachedText {
  readonly #text: string | Uint8Array
  readonly #status: number
  readonly #headers: Readonly<Record<string, string>>
  readonly #etag: string
  #zipped: Buffer | undefined

  constructor(text: string | Uint8Array, headers: Readonly<Record<string, string>>, status = 200) {
    this.#text = text
    this.#status = status
    // Weak, because the compressed text has the same.
    this.#etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
    this.#headers = { vary: 'accept-encoding', ...headers, etag: this.#etag }
  }

  replyTo(headers: IncomingHttpHeaders): Reply {
    if (this.#status === 200 && holdsTag(headers['if-none-match'], this.#etag)) {
      return { status: 304, headers: this.#headers }
    }
    if (!ACCEPTS_GZIP.test(String(headers['accept-encoding'] ?? ''))) {
      return { status: this.#status, body: this.#text, headers: this.#headers, isIncompressible: true }
    }
    this.#zipped ??= gzipSync(this.#text)
    const zipped = { ...this.#headers, 'content-encoding': 'gzip' }
    return { status: this.#status, body: this.#zipped, headers: zipped, isIncompressible: true }
  }
}
