// A process that brings a database up to date, watched and killed.
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { BackupPlace } from '../../../support/backup-place.ts'
import { COMPILED } from '../../../support/process.ts'

const PROGRAM = 'test/reliability/durability/crash/open-store.ts'

export interface Migration {
  /** Resolves when it is about to open the store. */
  readonly begun: Promise<void>
  /** Resolves with the number of statements when it has opened the store and stays; with why, when it has ended before. */
  readonly outcome: Promise<number | string>
  /** Lets it end by itself. */
  end(): Promise<unknown>
  /** Ends it at once and waits until it is gone. */
  kill(): Promise<void>
}

/** `killAt` is the number of a statement before which it ends; 0: none. */
export function migration({ data, database }: BackupPlace, killAt = 0): Migration {
  const child = spawn(process.execPath, [PROGRAM, data, database ?? '', String(killAt)], {
    env: { ...COMPILED, ...process.env },
  })
  const gone = new Promise<string>((resolve) => {
    const error = textOf(child.stderr)
    child.once('close', (code, signal) => resolve(signal ?? `${code}: ${error()}`))
  })
  const told = (pattern: RegExp) =>
    new Promise<string>((resolve) => {
      const text = textOf(child.stdout)
      child.stdout.on('data', () => {
        const found = pattern.exec(text())
        if (found) resolve(found[1] ?? '')
      })
    })
  return {
    begun: told(/^(begun)$/m).then(() => {}),
    outcome: Promise.race([told(/^opened (\d+)$/m).then(Number), gone]),
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
