// Sends a command to a running service and shows its answer as if the command ran here: what it prints, how far it is,
// and the files that it has written.
import { existsSync, openAsBlob, writeSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type NamedOutput, openOutput } from '../base/process/named-output.ts'
import { CommandFrame, type CommandRequest, type Exit, type ProgressReport, readFrames } from './frames.ts'
import type { ServiceDescription } from './service-description.ts'
import { SOCKET_NAME, withSocketAddress } from './socket-path.ts'

/** A running service describes itself at once. */
const DESCRIBES_WITHIN_MS = 10_000
/** A refusal is a sentence. */
const MAX_REFUSAL_CHARACTERS = 1_000

/** Where a service takes commands. */
export interface CommandService {
  /** Begins a request to it. */
  request(method: 'GET' | 'POST', headers: Readonly<Record<string, string>>): ClientRequest
  readonly name: string
}

/** A command as the service gets it, and the files here that it reads and writes. */
export interface SentCommand extends CommandRequest {
  /** By the name that the service knows them by: paths of input files. */
  readonly inputs: ReadonlyMap<string, string>
  /** The same for output files. */
  readonly outputs: ReadonlyMap<string, string>
  onProgress(report: ProgressReport): void
  /** Where it is shown what the command prints. */
  readonly stdout: Writable
  readonly stderr: Writable
}

/** The service that runs on a data folder. */
export function serviceAt(data: string): CommandService {
  const createConnection = () => withSocketAddress(data, SOCKET_NAME, (path) => connect({ path }))
  return {
    name: `the service on ${data}`,
    request: (method, headers) =>
      requestHttp({ method, path: '/', headers: { ...headers, host: 'localhost' }, createConnection }),
  }
}

/** A service elsewhere, by a token for an administrator's client: it may take secrets for tokens alone. */
export async function serviceAtUrl(url: URL, credentials: string): Promise<CommandService> {
  const base = url.pathname.replace(/\/+$/, '')
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const name = `the service at ${url.origin}`
  const begin = (path: string, method: string, headers: Readonly<Record<string, string>>) =>
    send(new URL(base + path, url), { method, headers, agent: false })
  const asking = begin('/oauth/token', 'POST', {
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  })
  const response = await accepted(name, asking, () => asking.end('grant_type=client_credentials'))
  const [, token] = /"access_token":"([^"]+)"/.exec(await textOf(response)) ?? []
  if (token === undefined) throw new Error(`${name} gives no token: see that the address is that of a service`)
  const authorization = `Bearer ${token}`
  return {
    name,
    request: (method, headers) => begin('/v1/administration/commands', method, { ...headers, authorization }),
  }
}

/** The service that runs on a data folder; undefined when none does. */
export async function findService(data: string): Promise<(CommandService & ServiceDescription) | undefined> {
  if (!existsSync(join(data, SOCKET_NAME))) return undefined
  const service = serviceAt(data)
  const request = service.request('GET', {})
  request.setTimeout(DESCRIBES_WITHIN_MS, () => request.destroy(new Error(`${service.name} does not answer`)))
  try {
    const description = await textOf(await responseTo(request, () => request.end()))
    return { ...service, ...(JSON.parse(description) as ServiceDescription) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The service that listened there was killed, or stops now.
    if (code === 'ECONNREFUSED' || code === 'ENOENT' || code === 'ECONNRESET') return undefined
    if (code === 'EACCES') throw new Error(`this user may not use ${service.name}`, { cause: error })
    throw error
  }
}

/** Resolves with the exit code of the command. */
export async function sendCommand(service: CommandService, command: SentCommand): Promise<number> {
  const { args, environment, showsProgress, inputs } = command
  const form = new FormData()
  form.append('command', JSON.stringify({ args, environment, showsProgress } satisfies CommandRequest))
  for (const [name, path] of inputs) form.append('file', await openAsBlob(path), name)
  const { headers, body } = new Response(form)
  const request = service.request('POST', { 'content-type': headers.get('content-type') ?? '' })
  // A refusal arrives before all is sent, and then the rest is not.
  const send = () => pipeline(Readable.fromWeb(body as never), request).catch(() => {})
  const response = await accepted(service.name, request, send)
  const files = new ReceivedFiles(command)
  try {
    for await (const { kind, body } of readFrames(response)) {
      if (kind === CommandFrame.exit) {
        files.finish()
        return (JSON.parse(body.toString()) as Exit).code
      }
      await show(kind, body, files, command)
    }
  } catch (cause) {
    throw cause instanceof FileFault ? cause : new Error(ended(service), { cause })
  } finally {
    files.discard()
  }
  throw new Error(ended(service))
}

function ended({ name }: CommandService): string {
  return `${name} has ended before the command had: run it again when the service runs`
}

async function show(kind: number, body: Buffer, files: ReceivedFiles, command: SentCommand): Promise<void> {
  if (kind === CommandFrame.stdout) await print(command.stdout, body)
  else if (kind === CommandFrame.stderr) await print(command.stderr, body)
  else if (kind === CommandFrame.progress) command.onProgress(JSON.parse(body.toString()) as ProgressReport)
  else if (kind === CommandFrame.file) files.begin(body.toString())
  else if (kind === CommandFrame.content) files.write(body)
}

function print(stream: Writable, bytes: Buffer): Promise<void> | undefined {
  if (stream.write(bytes)) return undefined
  return new Promise((resolve) => stream.once('drain', resolve))
}

export function responseTo(request: ClientRequest, send: () => void): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve)
    request.on('error', reject)
    send()
  })
}

/** The response with status 200. Throws if there is none. */
async function accepted(service: string, request: ClientRequest, send: () => void): Promise<IncomingMessage> {
  const response = await responseTo(request, send).catch((cause: Error) => {
    throw new Error(`${service} cannot be reached: ${cause.message}`, { cause })
  })
  if (response.statusCode !== 200) throw new Error(`${service} refuses: ${await refusalIn(response)}`)
  return response
}

/** The beginning of a response. */
export async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response) if (text.length < MAX_REFUSAL_CHARACTERS) text += chunk
  return text
}

/** The text of a refusal, or its message if it is one of the service's interface. */
async function refusalIn(response: IncomingMessage): Promise<string> {
  const text = await textOf(response)
  try {
    const { message, error_description: reason = message } = JSON.parse(text) as Record<string, string>
    return `${reason ?? text} (status ${response.statusCode})`
  } catch {
    return text || `status ${response.statusCode}`
  }
}

/** A file cannot be written here; the service has done its part. */
class FileFault extends Error {}

function written<T>(path: string, write: () => T): T {
  try {
    return write()
  } catch (cause) {
    throw new FileFault(`${path} cannot be written: ${(cause as Error).message}`, { cause })
  }
}

/** The files that a command has written. Regular files here are replaced when they are complete. */
class ReceivedFiles {
  readonly #command: SentCommand
  #path = ''
  #output: NamedOutput | undefined

  constructor(command: SentCommand) {
    this.#command = command
  }

  begin(name: string): void {
    this.finish()
    const path = this.#pathOf(name)
    if (path === undefined) return
    this.#path = path
    this.#output = written(path, () => openOutput(path))
  }

  write(bytes: Buffer): void {
    const output = this.#output
    if (!output) return
    written(this.#path, () => {
      for (let done = 0; done < bytes.length; ) done += writeSync(output.handle, bytes, done)
    })
  }

  /** The last file is complete: the answer goes on after it. */
  finish(): void {
    const output = this.#output
    this.#output = undefined
    if (output) written(this.#path, () => output.keep())
  }

  /** Removes a file that is not complete. */
  discard(): void {
    this.#output?.discard()
    this.#output = undefined
  }

  /** Undefined for a file that the command has no business with: a service must not write just anywhere here. */
  #pathOf(name: string): string | undefined {
    return name === basename(name) ? this.#command.outputs.get(name) : undefined
  }
}
