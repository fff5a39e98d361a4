// Passes messages of agents on: each line of the input is a message, and each message of an answer is a line. Nothing
// else is written to the output; what goes wrong without a message to answer goes to the error output.
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { systemClock } from '../../../base/clock.ts'
import type { ServiceCredentials } from '../../remote-service/service-credentials.ts'
import { AgentTokens } from './agent-tokens.ts'
import { errorOf, headersOf, messageIn, messagesIn, type RpcMessage } from './message.ts'

/** Longer than the service lets a request take. */
const TIMEOUT_MS = 120_000
const PARSE_ERROR = -32_700
const SERVICE_ERROR = -32_000

export interface BridgeEnds {
  /** Whether to ask for a token that may propose and apply changes. */
  readonly write: boolean
  readonly input: Readable
  readonly output: Writable
  readonly error: Writable
}

/** Ends when the input has ended and everything is answered. Throws when the service gives no token at the start. */
export async function runBridge(credentials: ServiceCredentials, { write, input, output, error }: BridgeEnds) {
  const scope = write ? 'mcp:read mcp:write' : 'mcp:read'
  const tokens = new AgentTokens(credentials, scope, () => systemClock().getTime())
  const bridge = new Bridge(`${credentials.url}/mcp`, tokens, {
    answer: (line) => void output.write(`${line}\n`),
    complain: (text) => void error.write(`tabularium: ${text}\n`),
  })
  await tokens.current()
  const open = new Set<Promise<void>>()
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue
    const passed = bridge.pass(line).finally(() => open.delete(passed))
    open.add(passed)
  }
  await Promise.all(open)
}

interface BridgeOutputs {
  answer(line: string): void
  complain(text: string): void
}

class Bridge {
  readonly #url: string
  readonly #tokens: AgentTokens
  readonly #outputs: BridgeOutputs
  /** The revision that an earlier program has agreed on. */
  #agreed: string | undefined

  constructor(url: string, tokens: AgentTokens, outputs: BridgeOutputs) {
    this.#url = url
    this.#tokens = tokens
    this.#outputs = outputs
  }

  /** Never rejects. */
  async pass(line: string): Promise<void> {
    const message = messageIn(line)
    if (!message) return this.#outputs.answer(errorOf({}, PARSE_ERROR, 'A line must be one message.'))
    try {
      await this.#passMessage(line, message)
    } catch (error) {
      this.#fail(message, error instanceof Error ? error.message : String(error))
    }
  }

  async #passMessage(line: string, message: RpcMessage): Promise<void> {
    const token = await this.#tokens.current()
    let answer = await this.#post(line, message, token)
    if (answer.status === 401) {
      await this.#tokens.refuse(token)
      answer = await this.#post(line, message, await this.#tokens.current())
    }
    const lines = messagesIn(answer.headers.get('content-type') ?? '', await answer.text())
    const messages = lines.map((text) => ({ text, read: messageIn(text) }))
    if (!answer.ok && !messages.some(({ read }) => read && 'jsonrpc' in read)) {
      const told = messages[0]?.read as { message?: string } | undefined
      return this.#fail(message, told?.message ?? `The service answers ${answer.status}.`, answer)
    }
    for (const { text, read } of messages) {
      if (message.method === 'initialize') this.#agree(read)
      this.#outputs.answer(text)
    }
  }

  #post(body: string, message: RpcMessage, token: string): Promise<Response> {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headersOf(message, this.#agreed),
    }
    return fetch(this.#url, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  }

  #agree(answer: RpcMessage | undefined): void {
    const revision = answer?.result?.protocolVersion
    if (typeof revision === 'string') this.#agreed = revision
  }

  /** A notification has no answer. */
  #fail(message: RpcMessage, text: string, answer?: Response): void {
    if (message.id === undefined || message.id === null) {
      this.#outputs.complain(text)
      return
    }
    const wait = answer?.headers.get('retry-after')
    const data = answer && { status: answer.status, ...(wait ? { retryAfterSeconds: Number(wait) } : {}) }
    this.#outputs.answer(errorOf(message, SERVICE_ERROR, text, data))
  }
}
