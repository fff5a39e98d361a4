// What a request costs: how long the thread that serves has worked without turning to anybody else, what all processes have
// worked for it, and how long health was waited for meanwhile.
import { readFileSync } from 'node:fs'
import type { World } from '../world.ts'

export interface Cost {
  /** In milliseconds of the processor. */
  readonly held: number
  /** Of the service, its readers and jobs, and PostgreSQL's backends, in milliseconds of the processor. */
  readonly whole: number
  /** The longest that health was waited for, in milliseconds of the clock. */
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

/** Asks again and again until it is called; gives the longest wait. */
function askHealth({ application }: World): () => Promise<number> {
  let longest = 0
  let isOver = false
  const asked = (async () => {
    while (!isOver) {
      const from = performance.now()
      const { statusCode } = await application.server.inject({ url: '/health/live' })
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

/** Of each other process, and of those that have ended. */
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
/** Of its children that have ended. */
const endedMs = (id: string) => ticksOf(id, 13)

/** One that has just ended has no times. */
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
