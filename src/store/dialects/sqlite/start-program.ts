// Starts a program of ours that reads the database beside the service: with little memory, and without our environment.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** `name` stands beside the module `from`, as source or compiled. */
export function startProgram(from: URL, name: string, args: readonly string[], stdio: StdioOptions): ChildProcess {
  const program = new URL(`./${name}${from.pathname.endsWith('.ts') ? '.ts' : '.js'}`, from)
  return spawn(process.execPath, [fileURLToPath(program), ...args], { stdio, env: {} })
}
