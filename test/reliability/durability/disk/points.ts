// The points where a fault can be injected into a write: each system call on the data folder, and the one that sends
// the answer.
import type { Archive } from './archive.ts'
import { record, type SystemCall } from './strace.ts'
import { WRITE_KINDS, type WriteKind } from './writes.ts'

export interface WritePoint extends SystemCall {
  readonly write: WriteKind
}

/** The calls of one write of each kind. */
export async function pointsOf(archive: Archive): Promise<WritePoint[]> {
  const points: WritePoint[] = []
  for (const write of WRITE_KINDS) {
    for (const call of await callsOf(archive, write)) points.push({ ...call, write })
  }
  return points
}

/** The calls of a successful write. */
export async function callsOf(archive: Archive, write: WriteKind): Promise<SystemCall[]> {
  const recording = await record(archive.pid)
  const { status } = await archive.attempt(write)
  const calls = await recording.stop()
  if (status !== 201) throw new Error(`a ${write} that nobody disturbs is answered ${status}`)
  return calls.filter((call) => call.text.includes(archive.folder) || isAnswer(call))
}

/** The answer is all that this process writes to a socket. */
export function isAnswer({ kind, text }: SystemCall): boolean {
  return (kind === 'write' || kind === 'writev') && /^[\d ]+\w+\(\d+<(socket|TCP)/.test(text)
}

/** Up to `most` items, spread over the list. */
export function spread<T>(list: readonly T[], most: number, random: () => number): T[] {
  if (most >= list.length) return [...list]
  const step = list.length / most
  return Array.from({ length: most }, (_, at) => list[Math.floor((at + random()) * step)] as T)
}

export function nameOf({ write, thread, kind, nth, text }: WritePoint): string {
  return `${write}: ${thread} ${kind} ${nth} (${text})`
}
