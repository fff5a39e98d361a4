import { constants, getPriority, setPriority } from 'node:os'
import { codeOf } from '../thrown.ts'

/** Whether there is a process with this number on this machine, whoever has started it. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

const { PRIORITY_BELOW_NORMAL } = constants.priority

/** Lets other processes have the CPU first. One that was started with an even lower priority may not raise its own. */
export function lowerPriority(): void {
  if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)
}

/** The URL of the module `name` next to `from` (an `import.meta.url`): .ts in a checkout, .js in the package. */
export function siblingModule(name: string, from: string): URL {
  return new URL(`./${name}.${from.endsWith('.ts') ? 'ts' : 'js'}`, from)
}
