// What a command uses of the process that it runs in. `process` is a terminal; tests have others, so that one command
// after the other runs in their process and leaves nothing there.
import type { Readable, Writable } from 'node:stream'

export interface Terminal {
  readonly env: NodeJS.ProcessEnv
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  exitCode?: NodeJS.Process['exitCode']
  /** Ends the process at once. */
  exit(code: number): never
  on(event: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown
  on(event: 'uncaughtException', listener: (error: Error) => void): unknown
  once(event: NodeJS.Signals, listener: () => void): unknown
}

export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly fd?: number }

/** The process ended by an error that nobody expected. */
export const CRASH_EXIT_CODE = 1
/** The disk failed under a write, so nothing may be acknowledged any more (EX_SOFTWARE of sysexits.h). */
export const FATAL_EXIT_CODE = 70
/** Ctrl-C, as shells have it: 128 and the number of SIGINT. */
export const INTERRUPTED_EXIT_CODE = 130
