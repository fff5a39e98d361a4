// A process that is measured: started, asked for its processor time, and ended by its id.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

const CLOCK_TICKS = Number(execFileSync('getconf', ['CLK_TCK']).toString())

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

  /** User and system time of the process so far. */
  processorSeconds(): number {
    const stat = readFileSync(`/proc/${this.#process.pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS
  }

  /** The most memory that the process has held, in MB. */
  peakMegabytes(): number {
    const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.#process.pid}/status`, 'utf8'))
    return Math.round(Number(found?.[1] ?? 0) / 1024)
  }

  stop(): Promise<void> {
    this.#process.removeAllListeners('exit')
    const ended = new Promise<void>((resolve) => this.#process.once('exit', () => resolve()))
    this.#process.kill('SIGINT')
    return ended
  }
}
