// Progress of long work: a bar on a terminal, nothing elsewhere.
import { SingleBar } from 'cli-progress'
import type { ReportProgress } from '../../databases/driver.ts'
import type { Terminal } from './terminal.ts'

interface Progress {
  at(done: number): void
  end(): void
}

const SILENT: Progress = { at: () => {}, end: () => {} }

/** Whether standard error is a terminal, so that a bar is visible. */
export function isProgressShown({ stderr }: Terminal): boolean {
  return stderr.isTTY === true
}

/** `total` has the unit of the reported progress. */
function startProgress(terminal: Terminal, what: string, total: number): Progress {
  if (!isProgressShown(terminal) || total === 0) return SILENT
  const bar = new SingleBar({
    format: `${what} [{bar}] {percentage} %, {eta_formatted} left`,
    stream: terminal.stderr,
    // A hidden cursor would stay hidden after Ctrl-C.
    hideCursor: false,
  })
  bar.start(total, 0)
  return { at: (done) => bar.update(Math.min(done, total)), end: () => bar.stop() }
}

/** Runs the work, which reports how much of `total` is done. The bar ends even if the work fails. */
export async function withProgress<T>(
  terminal: Terminal,
  what: string,
  total: number,
  work: (progress: (done: number) => void) => Promise<T>,
): Promise<T> {
  const progress = startProgress(terminal, what, total)
  try {
    const result = await work((done) => progress.at(done))
    progress.at(total)
    return result
  } finally {
    progress.end()
  }
}

/** Like `withProgress`, for work that reports its total along with its progress. */
export function stageOn(terminal: Terminal) {
  return async <T>(name: string, work: (progress: ReportProgress) => Promise<T>): Promise<T> => {
    let bar: ReturnType<typeof startProgress> | undefined
    try {
      return await work((done, total) => {
        bar ??= startProgress(terminal, name, total)
        bar.at(done)
      })
    } finally {
      bar?.end()
    }
  }
}

/** Prints faults, a line for each; with any of them the command fails. */
export function faultsOn(terminal: Terminal) {
  let count = 0
  return {
    report(fault: string): void {
      count += 1
      terminal.stdout.write(`${fault}\n`)
      terminal.exitCode = 1
    },
    get text(): string {
      return count === 0 ? 'sound' : formatCountOf(count, 'fault')
    },
  }
}

/** Formats a number as `12,345`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-GB')
}

/** Formats a number with its noun: `1 row`, `2 rows`. */
export function formatCountOf(count: number, noun: string): string {
  const nouns = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
  return `${formatCount(count)} ${count === 1 ? noun : nouns}`
}
