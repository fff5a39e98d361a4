// Takes commands for a running service on a socket in its data folder, so that whoever may use the folder need not stop
// the service: each runs as a process of its own, beside it.
import { once } from 'node:events'
import { chmodSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { runCommand } from './command-process.ts'
import { receiveCommand } from './received-command.ts'
import { Refusal } from './refusal.ts'
import { makeScratchFolder, removeLeftovers } from './scratch-folders.ts'
import { databaseMark, type ServiceDescription } from './service-description.ts'
import { SOCKET_NAME, withSocketAddress } from './socket-path.ts'

/** More at once would take too much of the machine from the service. */
const MAX_COMMANDS = 4
/** The rest of a refused request, whose client may be slow. */
const DROPPED_WITHIN_MS = 1_000

/** Names the caller at the service's interface, in a command that comes from there. */
export const CALLER_HEADER = 'x-administrator'

export interface CommandRecord {
  /** The command and what it is about, without values of options. */
  readonly command: string
  /** The client that has sent it from elsewhere; empty for whoever may use the data folder. */
  readonly clientId: string
  readonly exitCode: number
  readonly seconds: number
}

export interface AdministrationSettings {
  /** The data folder, which this process holds. */
  readonly data: string
  readonly database: string | undefined
  /** Variables with the settings of the service's store. */
  readonly settings: Readonly<Record<string, string>>
  onCommand(record: CommandRecord): void
}

export class AdministrationServer {
  readonly #settings: AdministrationSettings
  readonly #server: Server
  readonly #stopping = new AbortController()
  readonly #running = new Set<Promise<void>>()
  #inode: bigint | undefined
  #stopped: Promise<void> | undefined

  private constructor(settings: AdministrationSettings) {
    this.#settings = { ...settings, data: resolve(settings.data) }
    this.#server = createServer({ requestTimeout: 0 }, (request, response) => this.#answer(request, response))
  }

  /** Listens in place of whoever did before: the caller holds the data folder. */
  static async start(settings: AdministrationSettings): Promise<AdministrationServer> {
    const server = new AdministrationServer(settings)
    await server.#listen()
    return server
  }

  /** Ends the commands, and resolves when all have ended. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    this.#stopping.abort('the service is stopping: run the command again when it has started')
    const file = join(this.#settings.data, SOCKET_NAME)
    // Another service on a shared database may have taken over.
    if (statSync(file, { bigint: true, throwIfNoEntry: false })?.ino === this.#inode) rmSync(file, { force: true })
    const closed = once(this.#server, 'close')
    this.#server.close()
    await Promise.all(this.#running)
    this.#server.closeAllConnections()
    await closed
  }

  async #listen(): Promise<void> {
    const { data } = this.#settings
    mkdirSync(data, { recursive: true, mode: 0o700 })
    removeLeftovers(data)
    // Renamed when it is ready, so that whoever finds the socket can connect to it.
    const temporary = `${SOCKET_NAME}.${process.pid}`
    rmSync(join(data, temporary), { force: true })
    const listening = once(this.#server, 'listening')
    const before = process.umask(0o177)
    try {
      withSocketAddress(data, temporary, (address) => this.#server.listen(address))
    } finally {
      process.umask(before)
    }
    await listening
    chmodSync(join(data, temporary), 0o600)
    renameSync(join(data, temporary), join(data, SOCKET_NAME))
    this.#inode = statSync(join(data, SOCKET_NAME), { bigint: true }).ino
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== 'POST') {
      const description: ServiceDescription = {
        processId: process.pid,
        database: databaseMark(this.#settings.database),
      }
      response.end(JSON.stringify(description))
      return
    }
    const running = this.#run(request, response)
      .catch(async (error: unknown) => {
        await dropRest(request)
        refuse(response, error)
      })
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  async #run(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#stopping.signal.aborted) throw new Refusal(503, 'the service is stopping')
    if (this.#running.size >= MAX_COMMANDS) {
      throw new Refusal(503, `the service runs ${MAX_COMMANDS} commands already: try again when one has ended`)
    }
    const gone = new AbortController()
    response.once('close', () => gone.abort('the client is gone'))
    // What is written after that is for nobody.
    response.on('error', () => {})
    const record = await this.#runInFolder(request, response, gone.signal)
    response.end()
    this.#settings.onCommand(record)
  }

  /** The folder is gone before the client learns that the command has ended. */
  async #runInFolder(request: IncomingMessage, response: ServerResponse, gone: AbortSignal): Promise<CommandRecord> {
    const { data, settings } = this.#settings
    const folder = makeScratchFolder(data)
    try {
      const command = await receiveCommand(request, folder, this.#stopping.signal)
      const startedAt = performance.now()
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).flushHeaders()
      const stopped = AbortSignal.any([gone, this.#stopping.signal])
      const clientId = String(request.headers[CALLER_HEADER] ?? '')
      const exitCode = await runCommand({ command, clientId, folder, settings, stopped }, response)
      const seconds = Math.round(performance.now() - startedAt) / 1000
      return { command: describe(command.args), clientId, exitCode, seconds }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Values of options may be filters with personal data, and what is erased must stand nowhere. */
function describe(args: readonly string[]): string {
  const named = args.includes('erase') ? args.slice(0, 2) : args
  return named
    .filter((arg) => arg !== '--')
    .map((arg) => arg.replace(/^(--[\w-]+)=.*$/s, '$1'))
    .join(' ')
    .slice(0, 200)
}

/**
 * Reads the rest of a refused request, for a while. The connection is closed after the refusal, and a client that still
 * sends then never sees it.
 */
async function dropRest(request: IncomingMessage): Promise<void> {
  request.unpipe().resume()
  const ended = finished(request).catch(() => {})
  await Promise.race([ended, delay(DROPPED_WITHIN_MS, undefined, { ref: false })])
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const [status, message] =
    error instanceof Refusal ? [error.status, error.message] : [500, 'the command cannot be run']
  response.writeHead(status, { 'content-type': 'text/plain' }).end(message)
}
