// How far long work is: a bar on a terminal, nothing elsewhere.
import { SingleBar } from 'cli-progress'

export interface Progress {
  at(done: number): void
  end(): void
}

const SILENT: Progress = { at: () => {}, end: () => {} }

/** `total` in the unit of what is told. */
export function startProgress(what: string, total: number): Progress {
  if (!process.stderr.isTTY || total === 0) return SILENT
  const bar = new SingleBar({
    format: `${what} [{bar}] {percentage} %, {eta_formatted} left`,
    stream: process.stderr,
    hideCursor: true,
  })
  bar.start(total, 0)
  return { at: (done) => bar.update(done), end: () => bar.stop() }
}

/** `12,345`. */
export function counted(count: number): string {
  return count.toLocaleString('en-GB')
}
