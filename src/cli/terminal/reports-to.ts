import { createLogger } from '../../observe/logger.ts'
import type { Observe } from '../../observe/observation.ts'
import { FATAL_EXIT_CODE, type Terminal } from './terminal.ts'

/** Where a command that opens the store tells what goes wrong, and how it ends when the disk fails. */
export function reportsTo(terminal: Terminal): { observe: Observe; onFatal: () => never } {
  return { observe: createLogger('warn', terminal.stderr), onFatal: () => terminal.exit(FATAL_EXIT_CODE) }
}
