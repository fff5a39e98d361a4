import type { Terminal } from '../terminal/terminal.ts'

/** What a command does, with its arguments, its flags and the terminal: loaded when it is called. */
export function lazily(terminal: Terminal, load: () => Promise<(...given: never[]) => Promise<unknown>>) {
  // Behind the flags there is the command itself.
  return async (...given: unknown[]): Promise<void> => {
    const act = await load()
    await act(...([...given.slice(0, -1), terminal] as never[]))
  }
}
