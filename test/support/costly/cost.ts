// The cost of a request: the longest time that the serving thread is blocked, the CPU time of all processes, and the
// longest latency of the health endpoint meanwhile.
import { readFileSync } from 'node:fs'
import { injectInto } from '../inject.ts'
import type { World } from '../world.ts'

export interface Cost {
  /** CPU time of the serving thread in milliseconds. */
  readonly held: number
  /** CPU time of the service, its readers and jobs, and PostgreSQL's backends, in milliseconds. */
  readonly whole: number
  /** The longest latency of the health endpoint, in milliseconds of the clock. */
  readonly health: number
}

const TICK_MS = 10
const HEALTH_EVERY_MS = 10

export async function costOf(world: World, work: () => Promise<unknown>): Promise<Cost> {
  const before = await workedBy(world)
  const own = process.cpuUsage()
  const [held, health] = await heldBy(world, work)
  const { user, system } = process.cpuUsage(own)
  const after = await workedBy(world)
  const others = [...after].reduce((sum, [id, ms]) => sum + Math.max(0, ms - (before.get(id) ?? 0)), 0)
  return { held, whole: (user + system) / 1_000 + others, health }
}

async function heldBy(world: World, work: () => Promise<unknown>): Promise<[held: number, health: number]> {
  let longest = 0
  let before = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1_000)
    before = process.threadCpuUsage()
  }
  const timer = setInterval(look, 1)
  const health = askHealth(world)
  try {
    await work()
  } finally {
    clearInterval(timer)
    look()
  }
  return [longest, await health()]
}

/** Requests the health endpoint repeatedly until the returned function is called; that returns the longest latency. */
function askHealth({ application }: World): () => Promise<number> {
  let longest = 0
  let isOver = false
  const asked = (async () => {
    while (!isOver) {
      const from = performance.now()
      const { statusCode } = await injectInto(application.server, { url: '/health/live' })
      if (statusCode !== 200) throw new Error(`health is answered ${statusCode}`)
      longest = Math.max(longest, performance.now() - from)
      await new Promise((resume) => setTimeout(resume, HEALTH_EVERY_MS))
    }
  })()
  asked.catch(() => {})
  return async () => {
    isOver = true
    await asked
    return longest
  }
}

/** The CPU time of each other process, exited ones included. */
async function workedBy(world: World): Promise<Map<string, number>> {
  const worked = new Map([['ended', endedMs('self')]])
  for (const id of descendantsOf(process.pid)) worked.set(id, runningMs(id) + endedMs(id))
  for (const id of await backendsOf(world)) worked.set(id, runningMs(id))
  return worked
}

function descendantsOf(id: number | string): string[] {
  const children = textOf(`/proc/${id}/task/${id}/children`).split(' ').filter(Boolean)
  return children.flatMap((child) => [child, ...descendantsOf(child)])
}

async function backendsOf(world: World): Promise<string[]> {
  if (world.kind === 'sqlite') return []
  const rows = await world.query(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  return rows.map(({ pid }) => String(pid))
}

const runningMs = (id: string) => ticksOf(id, 11)
/** The CPU time of a process's exited children. */
const endedMs = (id: string) => ticksOf(id, 13)

/** A process that has just exited has no times. */
function ticksOf(id: string, at: number): number {
  const fields = textOf(`/proc/${id}/stat`).split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[at] ?? 0) + Number(fields[at + 1] ?? 0)) * TICK_MS
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
