// The order of system calls that durability across a power failure requires. A kill cannot test it: data that a process
// has handed to the operating system survives the process.
import { dirname, join } from 'node:path'
import { isAnswer } from './points.ts'
import type { SystemCall } from './strace.ts'

/** Violations of the order in the calls of one write, from the first to its answer. */
export function orderFaults(calls: readonly SystemCall[], folder: string): string[] {
  const log = join(folder, 'tabularium.db-wal')
  const answer = calls.find(isAnswer)
  if (!answer) return ['no answer is sent']
  const logged = calls.filter((call) => call.kind === 'pwrite64' && isOn(call, log) && call.begins < answer.begins)
  const [first, last] = [logged[0], logged.at(-1)]
  if (!first || !last) return ['nothing is written to the log of the database before the answer']
  const faults = calls
    .filter((call) => call.kind === 'rename')
    .flatMap((call) => contentFaults(calls, call, first, folder))
  if (!isSynced(calls, log, last, answer)) faults.push('the log of the database is not synced before the answer')
  return faults
}

function contentFaults(calls: readonly SystemCall[], moved: SystemCall, row: SystemCall, folder: string): string[] {
  const [from = '', to = ''] = [...moved.text.matchAll(/"([^"]+)"/g)].map(([, path]) => path)
  const written = calls.findLast((call) => call.kind === 'write' && isOn(call, from))
  if (!written) return ['the content is not written']
  const faults = []
  if (!isSynced(calls, from, written, moved)) faults.push('the content is not synced before it gets its name')
  if (!isSynced(calls, dirname(to), moved, row)) faults.push('the name of the content is not synced before its row')
  for (let made = dirname(to); made !== join(folder, 'files'); made = dirname(made)) {
    const named = calls.find((call) => call.kind === 'mkdir' && call.text.includes(`"${made}"`))
    if (!named) faults.push(`the folder ${made} is not made`)
    else if (!isSynced(calls, dirname(made), named, row))
      faults.push(`the name of ${made} is not synced before the row`)
  }
  return faults
}

/** An fsync without an error, started after the one call had ended and finished before the other starts. */
function isSynced(calls: readonly SystemCall[], path: string, after: SystemCall, before: SystemCall): boolean {
  return calls.some(
    (call) =>
      (call.kind === 'fsync' || call.kind === 'fdatasync') &&
      isOn(call, path) &&
      call.begins > after.ends &&
      call.ends < before.begins,
  )
}

/** Whether a call is about an open file. */
function isOn(call: SystemCall, path: string): boolean {
  return call.text.includes(`<${path}>`)
}
