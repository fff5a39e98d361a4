// Messages of JSON-RPC as far as the bridge reads them.

export interface RpcMessage {
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: {
    readonly name?: unknown
    readonly uri?: unknown
    readonly _meta?: Readonly<Record<string, unknown>>
  }
  readonly result?: { readonly protocolVersion?: unknown }
}

const REVISION = 'io.modelcontextprotocol/protocolVersion'
const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** The message in a line; undefined if it is none. */
export function messageIn(line: string): RpcMessage | undefined {
  try {
    const message = JSON.parse(line)
    return typeof message === 'object' && message !== null && !Array.isArray(message) ? message : undefined
  } catch {
    return undefined
  }
}

/**
 * The headers that repeat what a message says, as the revision without sessions has them. `agreed`: the revision that
 * was agreed on at the start, in earlier ones.
 */
export function headersOf({ method, params }: RpcMessage, agreed: string | undefined): Record<string, string> {
  const revision = params?._meta?.[REVISION]
  if (typeof revision !== 'string') return agreed === undefined ? {} : { 'mcp-protocol-version': agreed }
  const name = params?.name ?? params?.uri
  return {
    'mcp-protocol-version': revision,
    'mcp-method': method ?? '',
    ...(typeof name === 'string' ? { 'mcp-name': inHeader(name) } : {}),
  }
}

/** What no header may hold goes in base64, as the protocol writes it. */
function inHeader(text: string): string {
  const isPlain = PRINTABLE.test(text) && !text.startsWith('=?base64?')
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

export function errorOf({ id = null }: RpcMessage, code: number, message: string, data?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data ? { data } : {}) } })
}

/** The messages of an answer, each as one line: JSON, or events whose data they are. */
export function messagesIn(contentType: string, body: string): string[] {
  if (!contentType.startsWith('text/event-stream')) return body.trim() === '' ? [] : [oneLine(body)]
  return body.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
    return data.join('') === '' ? [] : [oneLine(data.join('\n'))]
  })
}

/** A line ends a message: JSON has line ends between its tokens only. */
function oneLine(json: string): string {
  return json.trim().replace(/[\r\n]+/g, ' ')
}
