// Requests and answers of the ERP, however they come and go.

export interface ErpRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface ErpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Parts of the body, each made when it is sent. */
  readonly body: Iterable<string>
  /** How many rows are in it, for the time that it takes. */
  readonly rows?: number
  /** Whether the connection breaks before anything is answered, or within the body. */
  readonly breaks?: 'before' | 'within'
}

export function jsonAnswer(status: number, body: object, headers: Readonly<Record<string, string>> = {}): ErpAnswer {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    body: [JSON.stringify(body)],
  }
}

export const emptyAnswer = (status: number, headers: Readonly<Record<string, string>> = {}): ErpAnswer => ({
  status,
  headers,
  body: [],
})

/** As proxies before an ERP answer: not as the ERP does. */
export function pageAnswer(status: number, words: string, headers: Readonly<Record<string, string>> = {}): ErpAnswer {
  const body = `<html><head><title>${status} ${words}</title></head><body><h1>${words}</h1></body></html>`
  return { status, headers: { 'Content-Type': 'text/html', ...headers }, body: [body] }
}

const ROWS_A_PART = 200

/** Rows as a JSON array or a row a line, made part by part. */
export function* rowsText(rows: Iterable<object>, isLines: boolean): Generator<string> {
  let part: string[] = []
  let isFirst = true
  const before = () => (isLines ? '' : isFirst ? '[' : ',')
  for (const row of rows) {
    part.push(JSON.stringify(row))
    if (part.length < ROWS_A_PART) continue
    yield before() + part.join(isLines ? '\n' : ',') + (isLines ? '\n' : '')
    isFirst = false
    part = []
  }
  if (part.length > 0) {
    yield before() + part.join(isLines ? '\n' : ',') + (isLines ? '\n' : '')
    isFirst = false
  }
  if (!isLines) yield isFirst ? '[]' : ']'
}
