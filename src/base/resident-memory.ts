import { readFileSync } from 'node:fs'

/** What a process has in memory, in bytes; nothing when it is gone, or where the system does not say. */
export function residentBytes(pid: number): number | undefined {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
  } catch {
    return undefined
  }
}
