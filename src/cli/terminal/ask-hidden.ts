import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { INTERRUPTED_EXIT_CODE, type Terminal } from './terminal.ts'

/** Asks for a line that the terminal does not show. */
export async function askHidden(
  question: string,
  terminal: Pick<Terminal, 'stdin' | 'stderr' | 'exit'>,
): Promise<string> {
  const { stdin, stderr } = terminal
  // What readline would echo goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 })
  reader.on('SIGINT', () => terminal.exit(INTERRUPTED_EXIT_CODE))
  stderr.write(question)
  try {
    return await reader.question('')
  } finally {
    stderr.write('\n')
    reader.close()
  }
}
