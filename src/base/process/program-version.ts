import { readFileSync } from 'node:fs'

/** The version in package.json. */
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
