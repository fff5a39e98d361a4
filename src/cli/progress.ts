// How far long work is: a bar on a terminal, nothing elsewhere.
import { SingleBar } from 'cli-progress'
import type { TellProgress } from '../store/database-copy.ts'

export interface Progress {
  at(done: number): void
  end(): void
}

const SILENT: Progress = { at: () => {}, end: () => {} }

/** Whether anybody would see a bar. */
export function isShown(): boolean {
  return process.stderr.isTTY === true
}

/** `total` in the unit of what is told. */
export function startProgress(what: string, total: number): Progress {
  if (!isShown() || total === 0) return SILENT
  const bar = new SingleBar({
    format: `${what} [{bar}] {percentage} %, {eta_formatted} left`,
    stream: process.stderr,
    // It would stay hidden after Ctrl-C.
    hideCursor: false,
  })
  bar.start(total, 0)
  return { at: (done) => bar.update(Math.min(done, total)), end: () => bar.stop() }
}

/** Does the work, which tells how much of `total` is done; the bar is ended however the work ends. */
export async function withProgress<T>(
  what: string,
  total: number,
  work: (progress: (done: number) => void) => Promise<T>,
): Promise<T> {
  const progress = startProgress(what, total)
  try {
    const result = await work((done) => progress.at(done))
    progress.at(total)
    return result
  } finally {
    progress.end()
  }
}

/** As `withProgress`, of work that tells its total as it goes. */
export async function stage<T>(name: string, work: (progress: TellProgress) => Promise<T>): Promise<T> {
  let bar: ReturnType<typeof startProgress> | undefined
  try {
    return await work((done, total) => {
      bar ??= startProgress(name, total)
      bar.at(done)
    })
  } finally {
    bar?.end()
  }
}

/** `12,345`. */
export function counted(count: number): string {
  return count.toLocaleString('en-GB')
}

/** `1 row`, `2 rows`. */
export function countedOf(count: number, noun: string): string {
  const nouns = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
  return `${counted(count)} ${count === 1 ? noun : nouns}`
}
