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
