// Runs a command of the service to its end and measures what it used.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { SERVICE } from './place.ts'
import { CLOCK_TICKS } from './subject.ts'

export interface Taken {
  readonly output: string
  readonly seconds: number
  readonly processorSeconds: number
  readonly bytesWritten: number
}

/** Throws when the command fails. Run one at a time: usage is measured by the times of all finished children. */
export async function runCommand(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Taken> {
  const [before, begun] = [ofChildren(), performance.now()]
  const child = spawn(process.execPath, [SERVICE, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  let output = ''
  child.stdout.on('data', (data: Buffer) => {
    output += data
  })
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`tabularium ${args.join(' ')} ended with ${code}: ${output.slice(-500)}`)
  const after = ofChildren()
  return {
    output,
    seconds: (performance.now() - begun) / 1000,
    processorSeconds: after.processorSeconds - before.processorSeconds,
    bytesWritten: after.bytesWritten - before.bytesWritten,
  }
}

/** Usage of all finished child processes, including the bytes that this process has written. */
function ofChildren(): { processorSeconds: number; bytesWritten: number } {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const written = /^write_bytes: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]
  return {
    processorSeconds: (Number(fields[13]) + Number(fields[14])) / CLOCK_TICKS,
    bytesWritten: Number(written ?? Number.NaN),
  }
}
