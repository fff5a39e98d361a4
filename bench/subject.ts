// A process that is measured: started, asked for its processor time, and ended by its id.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export const CLOCK_TICKS = Number(execFileSync('getconf', ['CLK_TCK']).toString())
const STOP_TIMEOUT_MS = 15_000

export interface Memory {
  /** Now; pages that processes share are divided among them. */
  readonly proportional: number
  /** The most since it was started. */
  readonly mostResident: number
}

export class Subject {
  readonly name: string
  readonly address: string
  readonly #process: ChildProcess

  private constructor(name: string, address: string, process: ChildProcess) {
    this.name = name
    this.address = address
    this.#process = process
  }

  /** Starts a program of ours and waits for the line that tells its address. */
  static start(name: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Subject> {
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    })
    // However the run ends, nothing that it started is left behind.
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    child.once('exit', () => process.removeListener('exit', kill))
    return new Promise((resolve, reject) => {
      let output = ''
      child.stdout?.on('data', (data: Buffer) => {
        output += data
        const address = /listening on (http:\S+)/.exec(output)?.[1]
        if (address) resolve(new Subject(name, address, child))
      })
      child.once('exit', (code) => reject(new Error(`${name} ended with code ${code} before it listened`)))
    })
  }

  /** User and system time so far, of the process and of those that it has started, also of those that have ended. */
  processorSeconds(): number {
    return this.#sum((id) => {
      const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
      return ticks / CLOCK_TICKS
    })
  }

  /** Memory in MiB, each process for itself: the first one first. */
  memory(): readonly Memory[] {
    return family(this.#process.pid ?? 0).map(memoryOf)
  }

  async stop(): Promise<void> {
    const child = this.#process
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    child.kill('SIGINT')
    await ended
    clearTimeout(timer)
  }

  #sum(of: (processId: number) => number): number {
    return family(this.#process.pid ?? 0).reduce((total, id) => total + of(id), 0)
  }
}

function memoryOf(id: number): Memory {
  const mebibytes = (file: string, name: string) => {
    const text = readFileSync(`/proc/${id}/${file}`, 'utf8')
    return Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024)
  }
  return { proportional: mebibytes('smaps_rollup', 'Pss'), mostResident: mebibytes('status', 'VmHWM') }
}

/** A process and all that descend from it. */
function family(processId: number): number[] {
  const children = readdirSync(`/proc/${processId}/task`).flatMap((thread) =>
    readFileSync(`/proc/${processId}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return [processId, ...children.flatMap(family)]
}
