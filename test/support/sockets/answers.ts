// A strict parser for the bytes that a connection returns: any byte that belongs to no answer is an error.

export interface RawAnswer {
  readonly status: number
  readonly isLast: boolean
  readonly body: string
}

export interface ReadAnswers {
  /** Without interim ones. */
  readonly answers: readonly RawAnswer[]
  /** The bytes behind the last complete answer. */
  readonly left: string
  readonly fault: string | undefined
}

const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [ -~]*$/
const HEADER_LINE = /^([A-Za-z0-9-]+): ([ -~]*)$/

/** `methods`: those of the requests, in their order; an answer to HEAD has no body. */
export function readAnswers(text: string, methods: readonly string[]): ReadAnswers {
  const answers: RawAnswer[] = []
  let at = 0
  while (at < text.length) {
    const headEnd = text.indexOf('\r\n\r\n', at)
    if (headEnd < 0) break
    const [first = '', ...lines] = text.slice(at, headEnd).split('\r\n')
    const status = Number(STATUS_LINE.exec(first)?.[1])
    const headers = new Map(lines.map((line) => HEADER_LINE.exec(line)?.slice(1) ?? ['', '']).map(lowerCased))
    if (Number.isNaN(status) || headers.has('')) return { answers, left: text.slice(at), fault: 'an answer is no HTTP' }
    const isLast = headers.get('connection') === 'close'
    const isOfHead = methods[answers.length] === 'HEAD'
    const isBodiless = status < 200 || status === 204 || status === 304 || (isOfHead && !isLast)
    const none = { text: '', end: headEnd + 4 }
    // Rejections at the socket level do not know the method: their body follows HEAD too, and the connection is closed.
    const body = isBodiless ? none : (bodyAt(text, headEnd + 4, headers) ?? (isOfHead ? none : undefined))
    if (typeof body === 'string') return { answers, left: text.slice(at), fault: body }
    if (!body) break
    at = body.end
    if (status >= 200) answers.push({ status, isLast, body: body.text })
  }
  return { answers, left: text.slice(at), fault: undefined }
}

function lowerCased([name = '', value = '']: string[]): [string, string] {
  return [name.toLowerCase(), value]
}

/** Undefined when the body is incomplete; a text when it is malformed. */
function bodyAt(text: string, at: number, headers: ReadonlyMap<string, string>) {
  if (headers.get('transfer-encoding') === 'chunked') return chunksAt(text, at)
  const length = headers.get('content-length') ?? ''
  if (!/^\d+$/.test(length)) return 'an answer does not tell its length'
  const end = at + Number(length)
  return end <= text.length ? { text: text.slice(at, end), end } : undefined
}

function chunksAt(text: string, start: number) {
  let [at, body] = [start, '']
  for (;;) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const digits = text.slice(at, lineEnd)
    if (!/^[\da-f]+$/i.test(digits)) return 'a chunk of an answer does not tell its size'
    const size = Number.parseInt(digits, 16)
    const end = lineEnd + 2 + size
    if (end + 2 > text.length) return undefined
    if (text.slice(end, end + 2) !== '\r\n') return 'a chunk of an answer is longer than it tells'
    if (size === 0) return { text: body, end: end + 2 }
    body += text.slice(lineEnd + 2, end)
    at = end + 2
  }
}

/** Why a body violates the contract: it must be JSON, and that of a rejection one of three shapes. */
export function shapeFault({ status, body }: RawAnswer, method: string): string | undefined {
  if (body === '') return status >= 400 && method !== 'HEAD' ? 'a refusal has no body' : undefined
  let read: Record<string, unknown>
  try {
    read = JSON.parse(Buffer.from(body, 'latin1').toString())
  } catch {
    return 'the body is no JSON'
  }
  if (status < 400 || 'notificationMessages' in read || JSON.stringify(read).includes('"notificationMessages":{'))
    return
  const { code, statusCode, message, ...rest } = read
  const isKnown = status === 401 ? statusCode === 401 : typeof code === 'number'
  return isKnown && typeof message === 'string' && Object.keys(rest).length === 0
    ? undefined
    : `the refusal has another shape: ${body.slice(0, 200)}`
}
