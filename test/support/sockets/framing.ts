// A reference parser that splits a stream of bytes into requests strictly by RFC 9112; anything ambiguous is malformed.
// The reliability tests compare the service with it.

export interface FramedRequest {
  readonly method: string
  readonly target: string
  readonly body: string
}

export interface Begun {
  readonly method: string
  readonly isSound: boolean
}

export interface Framing {
  readonly requests: readonly FramedRequest[]
  /** A request with a complete head: its body is incomplete, or the head is rejected. */
  readonly begun: Begun | undefined
  /** The state of the bytes behind the last request. */
  readonly rest: 'none' | 'incomplete' | 'malformed'
}

type Headers = ReadonlyMap<string, readonly string[]>

const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) +([^\0- \x7f]+) +HTTP\/1\.([01])$/
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\0-\x08\x0a-\x1f\x7f]*)$/
const LENGTH = /^\d{1,15}$/
const CHUNK_SIZE = /^([\dA-Fa-f]{1,8})(?:;[^\0-\x08\x0a-\x1f\x7f]*)?$/

class Malformed extends Error {}
class Incomplete extends Error {}

export function framingOf(bytes: Buffer): Framing {
  const reader = new Reader(bytes.toString('latin1'))
  const requests: FramedRequest[] = []
  try {
    while (reader.skipEmptyLines()) requests.push(reader.request())
    return { requests, begun: undefined, rest: 'none' }
  } catch (error) {
    if (!(error instanceof Malformed || error instanceof Incomplete)) throw error
    return { requests, begun: reader.begun, rest: error instanceof Malformed ? 'malformed' : 'incomplete' }
  }
}

class Reader {
  readonly #text: string
  #at = 0
  begun: Begun | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Returns false at the end. */
  skipEmptyLines(): boolean {
    while (this.#text[this.#at] === '\r' || this.#text[this.#at] === '\n') this.#at++
    return this.#at < this.#text.length
  }

  request(): FramedRequest {
    const [, method = '', target = '', minor = ''] = REQUEST_LINE.exec(this.#line()) ?? []
    if (method === '' || method === 'CONNECT') throw new Malformed()
    const headers = this.#headers()
    const hosts = headers.get('host')?.length ?? 0
    const isSound = hosts === 1 || (minor === '0' && hosts === 0)
    this.begun = { method, isSound }
    if (!isSound) throw new Malformed()
    const body = this.#body(headers, minor)
    this.begun = undefined
    return { method, target, body }
  }

  #headers(): Headers {
    const headers = new Map<string, string[]>()
    for (let line = this.#line(); line !== ''; line = this.#line()) {
      const [, name, value = ''] = HEADER_LINE.exec(line) ?? []
      if (name === undefined) throw new Malformed()
      const key = name.toLowerCase()
      headers.set(key, [...(headers.get(key) ?? []), value.trimEnd()])
    }
    return headers
  }

  #body(headers: Headers, minor: string): string {
    const [lengths, codings] = [headers.get('content-length'), headers.get('transfer-encoding')]
    if (codings) {
      if (lengths || minor === '0' || codings.join(',').toLowerCase() !== 'chunked') throw new Malformed()
      return this.#chunks()
    }
    if (!lengths) return ''
    if (lengths.length > 1 || !LENGTH.test(lengths[0] ?? '')) throw new Malformed()
    return this.#take(Number(lengths[0]))
  }

  #chunks(): string {
    let body = ''
    for (;;) {
      const [, digits] = CHUNK_SIZE.exec(this.#line()) ?? []
      if (digits === undefined) throw new Malformed()
      const size = Number.parseInt(digits, 16)
      if (size === 0) {
        this.#headers()
        return body
      }
      body += this.#take(size)
      if (this.#line() !== '') throw new Malformed()
    }
  }

  #take(length: number): string {
    if (this.#at + length > this.#text.length) throw new Incomplete()
    this.#at += length
    return this.#text.slice(this.#at - length, this.#at)
  }

  /** A line up to CR LF; a lone CR or LF is malformed. */
  #line(): string {
    const end = this.#text.slice(this.#at).search(/[\r\n]/) + this.#at
    if (end < this.#at || end === this.#text.length - 1)
      throw this.#text[end] === '\n' ? new Malformed() : new Incomplete()
    if (this.#text.slice(end, end + 2) !== '\r\n') throw new Malformed()
    const line = this.#text.slice(this.#at, end)
    this.#at = end + 2
    return line
  }
}
