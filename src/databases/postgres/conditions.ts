// What must hold before tables are moved to other servers. Everything that does not is told at once.
import type { CopySession } from './tables/table-file.ts'

/** The first version of the extension that was tried. */
const LEAST_VERSION = 13
/** A process that serves tells every two seconds that it lives. */
const SERVING_MS = 12_000

type Unmet = string | undefined

/** What does not hold, each as a sentence that says what to do. */
export async function unmetConditions(session: CopySession): Promise<string[]> {
  const extension = await unmetExtension(session)
  const unmet: Unmet[] = [
    extension,
    ...(extension === undefined ? await unmetServers(session) : await unmetSettings(session)),
    await unmetOwner(session),
    await unmetSilence(session),
  ]
  return unmet.filter((one) => one !== undefined)
}

async function unmetExtension(session: CopySession): Promise<Unmet> {
  const { rows } = await session.query<{ version: string }>(
    "select extversion as version from pg_extension where extname = 'citus'",
  )
  const [found] = rows
  if (!found) return 'the extension citus is not in the database: create extension citus, on every server, as superuser'
  if (Number.parseFloat(found.version) >= LEAST_VERSION) return undefined
  return `the extension citus has version ${found.version}: it must be ${LEAST_VERSION} or newer`
}

const NODES = `
  select count(*) filter (where groupid <> 0 and shouldhaveshards and isactive)::int as workers,
    count(*) filter (where groupid = 0)::int as coordinators
  from pg_dist_node where noderole = 'primary'`

async function unmetServers(session: CopySession): Promise<Unmet[]> {
  const { rows } = await session.query<{ workers: number; coordinators: number }>(NODES)
  const { workers = 0, coordinators = 0 } = rows[0] ?? {}
  return [
    coordinators > 0 ? undefined : "the coordinator has no address: select citus_set_coordinator_host('HOST', 5432)",
    workers > 0 ? undefined : "there is no server to distribute to: select citus_add_node('HOST', 5432) for each",
    ...(await unmetSettings(session)),
    ...(await unmetOnWorkers(session)),
  ]
}

/** What each server must be set to, and why. */
const SETTINGS = [
  ['wal_level', 'logical', 'no company could be moved while the service runs'],
  // A plan for a shard without statistics seems to be worth it, and then takes seconds to compile.
  ['jit', 'off', 'reading one record could take seconds'],
] as const

async function unmetSettings(session: CopySession): Promise<Unmet[]> {
  const unmet: Unmet[] = []
  for (const [name, wanted, otherwise] of SETTINGS) {
    const { rows } = await session.query<Record<string, string>>(`show ${name}`)
    if (rows[0]?.[name] !== wanted) unmet.push(`${name} must be ${wanted}, or ${otherwise}`)
  }
  return unmet
}

const WORKERS = `
  select nodename || ':' || nodeport as server, success, result from run_command_on_workers($1)`

async function unmetOnWorkers(session: CopySession): Promise<Unmet[]> {
  const unmet: Unmet[] = []
  for (const [name, wanted, otherwise] of SETTINGS) {
    const { rows } = await session.query<{ server: string; success: boolean; result: string }>(WORKERS, [
      `show ${name}`,
    ])
    for (const { server, success, result } of rows) {
      if (!success) unmet.push(`${server} cannot be asked: ${result}`)
      else if (result !== wanted) unmet.push(`${server}: ${name} must be ${wanted}, or ${otherwise}`)
    }
  }
  return unmet
}

const FOREIGN_TABLES = `
  select r.rolname as owner, current_user as me
  from pg_class c join pg_roles r on r.oid = c.relowner
  where c.oid = to_regclass('journal_counter') and not pg_has_role(c.relowner, 'usage')`

async function unmetOwner(session: CopySession): Promise<Unmet> {
  const { rows } = await session.query<{ owner: string; me: string }>(FOREIGN_TABLES)
  const [found] = rows
  return found && `the tables belong to ${found.owner}: name it in --database instead of ${found.me}`
}

const SESSIONS = `
  select count(*)::int as count from pg_stat_activity
  where datname = current_database() and application_name = 'tabularium' and pid <> pg_backend_pid()`

const SERVING = 'select count(*)::int as count from serving_process where seen_at > $1'

/** A server that has started before binds its sessions in another way, and would wait for tables that are moved. */
async function unmetSilence(session: CopySession): Promise<Unmet> {
  const { rows: serving } = await session.query<{ isThere: boolean }>(
    `select to_regclass('serving_process') is not null as "isThere"`,
  )
  const { rows: sessions } = await session.query<{ count: number }>(SESSIONS)
  const { rows: processes } = serving[0]?.isThere
    ? await session.query<{ count: number }>(SERVING, [Date.now() - SERVING_MS])
    : { rows: [] }
  const isServed = (sessions[0]?.count ?? 0) + (processes[0]?.count ?? 0) > 0
  return isServed ? 'a server is connected: stop all servers, and start them again afterwards' : undefined
}
