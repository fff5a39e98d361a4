// A process that is measured: started, asked for its processor time, and ended by its id.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const CLOCK_TICKS = Number(execFileSync('getconf', ['CLK_TCK']).toString())
const STOP_TIMEOUT_MS = 15_000

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

  /** User and system time so far, of the process and of those that it has started. */
  processorSeconds(): number {
    return this.#sum((id) => {
      const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS
    })
  }

  /** The most memory that has been held, in MB. */
  peakMegabytes(): number {
    return Math.round(this.#sum(peakKilobytes) / 1024)
  }

  /** The same for each of its processes, the first one first. */
  peakMegabytesEach(): number[] {
    return family(this.#process.pid ?? 0).map((id) => Math.round(peakKilobytes(id) / 1024))
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

function peakKilobytes(id: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0)
}

/** A process and all that descend from it. */
function family(processId: number): number[] {
  const children = readdirSync(`/proc/${processId}/task`).flatMap((thread) =>
    readFileSync(`/proc/${processId}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return [processId, ...children.flatMap(family)]
}
