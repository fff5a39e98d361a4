// Commands of the program, which run in the process of the test, and the real program as a child process: started on a
// free port, watched by its output, ended by its process id.
import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable, Writable } from 'node:stream'
import type { Terminal } from '../../src/cli/terminal/terminal.ts'
import { counted } from './costs.ts'
import { addJournalView } from './journal-view.ts'
import { PROGRAM } from './program.ts'
import { recorded } from './recorder/record.ts'
import { CLIENT_SECRET } from './world.ts'

export const SETUP = 'test/fixtures/company.yaml'
/** On PostgreSQL the demo creates two thousand customers first, each in a transaction of its own. */
const READY_TIMEOUT_MS = 180_000

/** The line by which a service reports its address. */
const LISTENING = /^listening on (http:\/\/\S+)$/m

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  /** Resolves when the process has exited, for whatever reason. */
  readonly ended: Promise<Ended>
}

export interface StartOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** Shell commands that run before the program replaces the shell, such as `ulimit -f 100`. */
  readonly before?: string
  /** Arguments of Node.js that start another version. */
  readonly program?: readonly string[]
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** Standard input. */
  readonly input?: string
  /** Whether a person types it. */
  readonly isTyped?: boolean
}

/**
 * Tests share the machine, so a slow event loop is not treated as overload. One worker, unless a test asks for more.
 */
const UNHURRIED = { TABULARIUM_OVERLOAD_DELAY: '60000', TABULARIUM_WORKERS: '1' }

/** A compile cache halves the time of a start. */
export const COMPILED = { NODE_COMPILE_CACHE: join(tmpdir(), 'tabularium-compiled'), MALLOC_ARENA_MAX: '2' }

/** Receivers of webhooks are on the machine. */
const SETTINGS = { TABULARIUM_WEBHOOK_NETWORKS: 'loopback' }

function environmentWith(environment: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...SETTINGS, TEST_CLIENT_SECRET: CLIENT_SECRET, NO_COLOR: '1', ...UNHURRIED, ...environment }
}

/** Starts `tabularium ARGUMENTS`. */
export function start(args: readonly string[], { environment = {}, before, ...options }: StartOptions = {}): Running {
  counted.programs += 1
  const program = [...(options.program ?? PROGRAM), ...args]
  const env = { ...COMPILED, ...environmentWith(environment) }
  const child = before
    ? spawn('sh', ['-c', `${before}; exec "$@"`, 'sh', process.execPath, ...program], { env })
    : spawn(process.execPath, program, { env })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk))
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, ...output }))
  })
  return { child, ended: recorded({ args }, ended) }
}

/** Runs `tabularium ARGUMENTS` in this process. What is said of a start, a signal, an exit or a pipe needs its own. */
export function run(
  args: readonly string[],
  { environment = {}, input = '', isTyped }: RunOptions = {},
): Promise<Ended> {
  return recorded({ args }, runOn(new OwnTerminal(environmentWith(environment), input, isTyped), args))
}

async function runOn(terminal: OwnTerminal, args: readonly string[]): Promise<Ended> {
  const { run: runCommand } = await import('../../src/cli/commands/program.ts')
  const code = await runCommand(args, terminal)
  return { code, signal: null, stdout: terminal.stdout.text, stderr: terminal.stderr.text }
}

export interface ServingHere {
  /** `http://HOST:PORT` and the base path. */
  readonly address: string
  /** What it has logged so far. */
  log(): string
  /** What it has printed so far. */
  output(): string
  /** Ends it at once, or after its grace by SIGTERM. Throws unless it ends well. */
  stop(signal?: 'SIGINT' | 'SIGTERM'): Promise<Ended>
}

/**
 * Starts `serve`, or the demo, in this process, for tests that say nothing of the process of the service. Commands on
 * its data folder need a process: the service starts them by the program that it runs in.
 */
export async function serveHere(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  command: 'serve' | 'demo' | 'mirror' = 'serve',
): Promise<ServingHere> {
  const terminal = new OwnTerminal(environmentWith(environment), '')
  const ended = runOn(terminal, [command, '--port', '0', '--log-level', 'warn', ...args])
  const address = new Promise<string>((resolve, reject) => {
    terminal.stdout.on('printed', () => {
      const found = LISTENING.exec(terminal.stdout.text)
      if (found?.[1]) resolve(found[1])
    })
    ended.then(({ code, stderr }) => reject(new Error(`the service ended with ${code} before it listened: ${stderr}`)))
  })
  const stop: ServingHere['stop'] = async (signal = 'SIGINT') => {
    terminal.emit(signal, signal)
    const end = await ended
    if (end.code !== 0) throw new Error(`the service ended with ${end.code}: ${end.stderr}`)
    return end
  }
  return { address: await address, log: () => terminal.stderr.text, output: () => terminal.stdout.text, stop }
}

/** What a command of this process has instead of the process. */
class OwnTerminal extends EventEmitter implements Terminal {
  readonly env: NodeJS.ProcessEnv
  readonly stdin: Terminal['stdin']
  readonly stdout = new Printed()
  readonly stderr = new Printed()
  exitCode: Terminal['exitCode']

  constructor(env: NodeJS.ProcessEnv, input: string, isTTY = false) {
    super()
    this.env = env
    this.stdin = Object.assign(Readable.from([Buffer.from(input)]), { isTTY })
  }

  exit(code: number): never {
    throw new Error(`a command in the process of the test exits at once, with ${code}`)
  }
}

class Printed extends Writable {
  readonly #chunks: Buffer[] = []

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk)
    this.emit('printed')
    done()
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString()
  }
}

/** Runs `tabularium ARGUMENTS` as a process of its own until it exits. */
export function runProcess(args: readonly string[], options: StartOptions = {}): Promise<Ended> {
  return start(args, options).ended
}

export interface Serving extends Running {
  /** `http://HOST:PORT` and the base path. */
  readonly address: string
}

/** Starts `serve`, or the demo, on a free port and waits until it listens. */
export async function serve(
  args: readonly string[],
  options: StartOptions = {},
  command: 'serve' | 'demo' | 'mirror' = 'serve',
): Promise<Serving> {
  return listening(start([command, '--port', '0', '--log-level', 'warn', ...args], options))
}

/** Waits for the line that reports the address. */
export async function listening(running: Running): Promise<Serving> {
  const { child, ended } = running
  let timer: NodeJS.Timeout | undefined
  const address = new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk
      const found = LISTENING.exec(text)
      if (found?.[1]) resolve(found[1])
    })
    ended.then(({ code, stderr }) => reject(new Error(`the service ended with ${code} before it listened: ${stderr}`)))
    timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error('the service did not listen in time'))
    }, READY_TIMEOUT_MS)
  })
  try {
    return { ...running, address: await address }
  } finally {
    clearTimeout(timer)
  }
}

/** Kills the process, like a power failure, and waits until it is gone. */
export async function kill({ child, ended }: Running): Promise<Ended> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  return ended
}

export interface Folder {
  readonly path: string
  remove(): void
}

export function temporaryFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'tabularium-process-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export const credentials = `Basic ${Buffer.from(`integration:${CLIENT_SECRET}`).toString('base64')}`

export interface Call {
  readonly method?: string
  readonly body?: unknown
  readonly authorization?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends one request and reads the complete answer; throws when the connection breaks before that. */
export async function call(url: string, { method = 'GET', body, authorization = credentials, headers }: Call = {}) {
  const answer = await fetch(url, {
    method,
    headers: { authorization, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Rows of a statement on the database of a data folder, on a read-only connection. */
export function rowsOf(folder: string, text: string): Record<string, unknown>[] {
  // Another process may be about to recover the database.
  const connection = new DatabaseSync(join(folder, 'tabularium.db'), { readOnly: true, timeout: 10_000 })
  addJournalView(connection)
  try {
    return connection.prepare(text).all() as Record<string, unknown>[]
  } finally {
    connection.close()
  }
}

/** `ok`, or the errors of the database of a data folder. */
export function integrityOf(folder: string): string {
  if (!existsSync(join(folder, 'tabularium.db'))) return 'ok'
  return rowsOf(folder, 'pragma integrity_check')
    .map((row) => String(row.integrity_check))
    .join('; ')
}

/** The message of a command while a service uses the data folder. */
export function inUseLine(folder: string, { child }: Running): string {
  const holder = `the data folder ${folder} is in use by another Tabularium (process ${child.pid})`
  return `tabularium: ${holder}: stop it first; on PostgreSQL this works beside it\n`
}

/** The lines of a text, without the empty last one. */
export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}
