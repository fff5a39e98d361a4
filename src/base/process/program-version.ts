import { readFileSync } from 'node:fs'

export const PROGRAM_VERSION = (
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** The resident memory of a process in bytes; undefined if it has ended, or on a system without /proc. */
export function residentBytes(pid: number): number | undefined {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
  } catch {
    return undefined
  }
}

/** Linux tells processor time in hundredths of a second, whatever its clock. */
const TICK_MS = 10
/** Positions in `/proc/PID/stat` of the times in user mode and in the kernel, after the name of the program. */
const USER_TICKS = 11
const SYSTEM_TICKS = 12

/** The processor time of a process so far; undefined if it has ended, or on a system without /proc. */
export function processorMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ')
    return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * TICK_MS
  } catch {
    return undefined
  }
}
