// What a holder of leases is called: by it, other processes of the same machine see at once that it has ended, and do
// not wait for the end of its leases. Of holders on other machines and in other containers nothing can be seen.
import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { isProcessAlive } from '../base/process/is-alive.ts'

/** The ids of processes mean the same where this is the same; empty where that cannot be known. */
function place(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return ''
  }
}

const PLACE = place()

/** The name of a new holder in this process. */
export function newHolder(): string {
  return JSON.stringify([PLACE, process.pid, randomUUID()])
}

/** Whether it is known that the process of a holder has ended. */
export function hasEnded(holder: string): boolean {
  if (PLACE === '' || !holder.startsWith('[')) return false
  const [place, pid] = JSON.parse(holder) as readonly [string, number]
  return place === PLACE && !isProcessAlive(pid)
}
