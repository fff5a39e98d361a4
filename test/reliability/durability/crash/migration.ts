// A process that migrates a database, observed and killed.
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { DataLocation } from '../../../support/data-location.ts'
import { COMPILED } from '../../../support/process.ts'

const PROGRAM = 'test/reliability/durability/crash/open-store.ts'

export interface Migration {
  /** Resolves when the process is about to open the store. */
  readonly begun: Promise<void>
  /**
   * Resolves with the number of statements when the store is open; with the output, when the process has exited before.
   */
  readonly outcome: Promise<number | string>
  /** Lets the process exit by itself. */
  end(): Promise<unknown>
  /** Kills the process and waits until it is gone. */
  kill(): Promise<void>
}

/** `killAt` is the number of the statement before which the process kills itself; 0: none. */
export function migration(
  { data, database }: DataLocation,
  killAt = 0,
  as: 'service' | 'command' = 'service',
): Migration {
  const child = spawn(process.execPath, [PROGRAM, data, database ?? '', String(killAt), as], {
    env: { ...COMPILED, ...process.env },
  })
  const gone = new Promise<string>((resolve) => {
    const error = textOf(child.stderr)
    child.once('close', (code, signal) => resolve(signal ?? `${code}: ${error()}`))
  })
  const reported = (pattern: RegExp) =>
    new Promise<string>((resolve) => {
      const text = textOf(child.stdout)
      child.stdout.on('data', () => {
        const found = pattern.exec(text())
        if (found) resolve(found[1] ?? '')
      })
    })
  return {
    begun: reported(/^(begun)$/m).then(() => {}),
    outcome: Promise.race([reported(/^opened (\d+)$/m).then(Number), gone]),
    end: () => {
      child.stdin.end()
      return gone
    },
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await gone
    },
  }
}

function textOf(stream: Readable): () => string {
  let text = ''
  stream.on('data', (piece: Buffer) => (text += piece))
  return () => text
}
