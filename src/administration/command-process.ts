// Runs a command as a process of its own, by the same program as the service, and answers with what it prints, how far
// it is, the files that it has written, and its exit code.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { DELEGATED, type Delegated } from './delegated.ts'
import { CommandFrame, type CommandRequest, type Exit, frameOf, type ProgressReport } from './frames.ts'

/** How long a command may take to end in good order before it is killed. */
const ENDS_WITHIN_MS = 5_000
/** How long the last words of an ended process are read: one that it has started may hold its output open. */
const LAST_WORDS_MS = 1_000
const SIGN_OF_LIFE_MS = 15_000
const CHUNK_BYTES = 256 * 1024

export interface CommandTask {
  readonly command: CommandRequest
  /** The client that has sent it from elsewhere, or empty. */
  readonly clientId: string
  /** The folder that it runs in, which has its input files. */
  readonly folder: string
  /** Variables with the settings of the service's store. */
  readonly settings: Readonly<Record<string, string>>
  /** The command is ended when this is aborted; its reason is told to the client. */
  readonly stopped: AbortSignal
}

/** Writes the answer to `output`, and returns the exit code. `output` is not ended. */
export async function runCommand(task: CommandTask, output: Writable): Promise<number> {
  const { folder, stopped } = task
  const inputs = new Map(filesIn(folder))
  const child = start(task)
  const end = () => void endProcess(child).then(() => setTimeout(() => dropOutput(child), LAST_WORDS_MS).unref())
  stopped.addEventListener('abort', end)
  if (stopped.aborted) end()
  // A proxy closes a connection on which nothing comes.
  const timer = setInterval(() => output.write(frameOf(CommandFrame.stdout, '')), SIGN_OF_LIFE_MS)
  try {
    forward(child, output, stopped)
    const code = await exitCodeOf(child, output)
    if (stopped.aborted) {
      output.write(frameOf(CommandFrame.stderr, `tabularium: ${stopped.reason}\n`))
    }
    for (const [name, version] of stopped.aborted ? [] : filesIn(folder)) {
      if (inputs.get(name) !== version) await sendFile(folder, name, output, stopped)
    }
    const exit: Exit = { code: stopped.aborted ? 1 : code }
    output.write(frameOf(CommandFrame.exit, JSON.stringify(exit)))
    return exit.code
  } finally {
    clearInterval(timer)
    stopped.removeEventListener('abort', end)
    await endProcess(child)
  }
}

function start({ command, clientId, folder, settings }: CommandTask): ChildProcess {
  const { args, ...rest } = command
  const delegated: Delegated = { ...rest, clientId, service: process.pid }
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TABULARIUM_'))
  const env = { ...Object.fromEntries(inherited), ...settings, [DELEGATED]: JSON.stringify(delegated) }
  const program = [...process.execArgv, process.argv[1] ?? '', ...args]
  return spawn(process.execPath, program, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
}

/**
 * Passes on what the process prints, no faster than it is read. A command that is ended waits for no reader: nothing
 * may ever be read again, and the process ends when all that it has printed is taken.
 */
function forward(child: ChildProcess, output: Writable, stopped: AbortSignal): void {
  const streams = [child.stdout, child.stderr] as readonly Readable[]
  const resume = () => {
    for (const stream of streams) stream.resume()
  }
  output.on('drain', resume)
  for (const [kind, stream] of [CommandFrame.stdout, CommandFrame.stderr].map(
    (one, at) => [one, streams[at]] as const,
  )) {
    stream?.on('data', (chunk: Buffer) => {
      if (stopped.aborted && output.writableNeedDrain) return
      if (!output.write(frameOf(kind, chunk)) && !stopped.aborted) for (const one of streams) one.pause()
    })
  }
  child.on('message', (message: { readonly progress?: ProgressReport }) => {
    // A client that reads slowly misses some of it.
    if (message.progress && !output.writableNeedDrain)
      output.write(frameOf(CommandFrame.progress, JSON.stringify(message.progress)))
  })
  child.once('close', () => output.off('drain', resume))
}

/** Resolves when the process has ended and all that it has printed is passed on. */
async function exitCodeOf(child: ChildProcess, output: Writable): Promise<number> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  if (code !== null) return code
  output.write(frameOf(CommandFrame.stderr, `tabularium: the process of the command was ended by ${signal}\n`))
  return 1
}

function dropOutput(child: ChildProcess): void {
  child.stdout?.destroy()
  child.stderr?.destroy()
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS)
  // What it has printed is read to its end, whoever takes it.
  child.stdout?.resume()
  child.stderr?.resume()
  await once(child, 'exit')
  clearTimeout(timer)
}

/** The names of the files in a folder, each with what changes when it is written. */
function filesIn(folder: string): [name: string, version: string][] {
  const found = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  return found.map(({ name }) => {
    const { mtimeNs, size } = statSync(join(folder, name), { bigint: true })
    return [name, `${mtimeNs} ${size}`]
  })
}

/** Throws when the command is ended meanwhile: the client must not take a part for the file. */
async function sendFile(folder: string, name: string, output: Writable, stopped: AbortSignal): Promise<void> {
  output.write(frameOf(CommandFrame.file, name))
  for await (const chunk of createReadStream(join(folder, name), { highWaterMark: CHUNK_BYTES })) {
    stopped.throwIfAborted()
    if (!output.write(frameOf(CommandFrame.content, chunk as Buffer))) await drained(output, stopped)
  }
}

/** Resolves when more can be written, or nothing will be. */
function drained(output: Writable, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      output.off('drain', done)
      stopped.removeEventListener('abort', done)
      resolve()
    }
    output.on('drain', done)
    stopped.addEventListener('abort', done)
  })
}
