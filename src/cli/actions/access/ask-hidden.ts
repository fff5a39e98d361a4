import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

const INTERRUPTED_EXIT_CODE = 130

/** Asks for a line that the terminal does not show. */
export async function askHidden(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<string> {
  // What readline would echo goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input, output: nowhere, terminal: true, historySize: 0 })
  reader.on('SIGINT', () => process.exit(INTERRUPTED_EXIT_CODE))
  output.write(question)
  try {
    return await reader.question('')
  } finally {
    output.write('\n')
    reader.close()
  }
}
