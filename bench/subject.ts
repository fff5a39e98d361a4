// A measured process, with its processor time and memory.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export const CLOCK_TICKS = Number(execFileSync('getconf', ['CLK_TCK']).toString())
const STOP_TIMEOUT_MS = 15_000

export interface Memory {
  /** The current proportional share in MiB: shared pages are divided among their processes. */
  readonly proportional: number
  /** The peak of resident memory in MiB. */
  readonly mostResident: number
}

export class Subject {
  readonly name: string
  readonly address: string
  readonly #process: ChildProcess
  readonly #helper: number | undefined

  private constructor(name: string, address: string, process: ChildProcess, helper: number | undefined) {
    this.name = name
    this.address = address
    this.#process = process
    this.#helper = helper
  }

  /**
   * Starts a program and waits until it prints its address. A `helper` is a process that works for it without being its
   * child, such as a database.
   */
  static start(
    name: string,
    args: readonly string[],
    environment: NodeJS.ProcessEnv = {},
    helper?: number,
  ): Promise<Subject> {
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    })
    // No child is left behind, however the run ends.
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    child.once('exit', () => process.removeListener('exit', kill))
    return new Promise((resolve, reject) => {
      let output = ''
      child.stdout?.on('data', (data: Buffer) => {
        output += data
        const address = /listening on (http:\S+)/.exec(output)?.[1]
        if (address) resolve(new Subject(name, address, child, helper))
      })
      child.once('exit', (code) => reject(new Error(`${name} ended with code ${code} before it listened`)))
    })
  }

  /** User and system time so far, of the process and its descendants, including those that have exited. */
  processorSeconds(): number {
    const helpers = this.#helper === undefined ? [] : family(this.#helper)
    const all = [...family(this.#process.pid ?? 0), ...helpers]
    return all.reduce((total, id) => total + processorSecondsOf(id), 0)
  }

  /** The memory of the process and of each descendant. */
  memory(): readonly Memory[] {
    return family(this.#process.pid ?? 0).map(memoryOf)
  }

  /** The memory of all of them in MiB. */
  memorySum(): number {
    return this.memory().reduce((sum, { proportional }) => sum + proportional, 0)
  }

  async stop(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const child = this.#process
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    // SIGKILL does not reach the descendants, so each is killed.
    for (const id of signal === 'SIGKILL' ? family(child.pid ?? 0).reverse() : [child.pid ?? 0])
      process.kill(id, signal)
    await ended
    clearTimeout(timer)
  }
}

/** Includes the time of finished children. */
function processorSecondsOf(id: number): number {
  const stat = read(`/proc/${id}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / CLOCK_TICKS
}

function memoryOf(id: number): Memory {
  const mebibytes = (file: string, name: string) => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${id}/${file}`))?.[1]
    return Math.round(Number(kilobytes ?? 0) / 1024)
  }
  return { proportional: mebibytes('smaps_rollup', 'Pss'), mostResident: mebibytes('status', 'VmHWM') }
}

/** Empty if the process has exited. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** The ids of a process and of all its descendants. */
function family(processId: number): number[] {
  const threads = existsSync(`/proc/${processId}/task`) ? readdirSync(`/proc/${processId}/task`) : []
  const children = threads.flatMap((thread) => read(`/proc/${processId}/task/${thread}/children`).split(' '))
  return [processId, ...children.filter(Boolean).map(Number).flatMap(family)]
}
