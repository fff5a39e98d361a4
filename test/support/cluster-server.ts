// A server of the cluster on this machine: killed, started again, and asked which companies it has.
import { spawn } from 'node:child_process'
import { openSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CLUSTER } from './cluster.ts'
import { asSuperuser, queryOn } from './test-database.ts'

export class ClusterServer {
  readonly address: string
  readonly #folder: string

  private constructor(address: string, folder: string) {
    this.address = address
    this.#folder = folder
  }

  static async at(address: string): Promise<ClusterServer> {
    const [row] = await queryOn(`${address}/postgres`, 'show data_directory')
    return new ClusterServer(address, String(row?.data_directory))
  }

  /** The process of the server and all of its sessions end at once, like a power failure. */
  async kill(): Promise<void> {
    const sessions = await queryOn(`${this.address}/postgres`, 'select pid from pg_stat_activity')
    const [server = ''] = readFileSync(join(this.#folder, 'postmaster.pid'), 'utf8').split('\n')
    for (const id of [server, ...sessions.map(({ pid }) => pid)]) end(Number(id))
  }

  /** Starts the server with the options that it had. */
  async startAgain(): Promise<void> {
    const [program = '', ...options] = readFileSync(join(this.#folder, 'postmaster.opts'), 'utf8')
      .split(/\s+/)
      .map((word) => word.replaceAll('"', ''))
      .filter(Boolean)
    const { uid, gid } = statSync(this.#folder)
    const log = openSync(join(dirname(this.#folder), 'restarted.log'), 'a')
    spawn(program, options, { uid, gid, detached: true, stdio: ['ignore', log, log] }).unref()
    while (!(await this.#answers())) await new Promise((resume) => setTimeout(resume, 100))
  }

  async #answers(): Promise<boolean> {
    return queryOn(`${this.address}/postgres`, 'select 1').then(
      () => true,
      () => false,
    )
  }
}

function end(id: number): void {
  try {
    process.kill(id, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

export interface Placed {
  readonly company: string
  readonly shard: number
  /** The address of the server that has the company. */
  readonly address: string
}

/** Where each company of a database is. */
export async function placesOf(database: string, companies: readonly string[]): Promise<Placed[]> {
  const list = companies.map((company) => `('${company}')`).join(', ')
  const rows = await queryOn(
    asSuperuser(database),
    `select company, shardid, nodename, nodeport
      from (select company, get_shard_id_for_distribution_column('journal_counter', company) as shardid
        from (values ${list}) v(company)) c join citus_shards using (shardid)
      where table_name = 'journal_counter'::regclass`,
  )
  return rows.map(({ company, shardid, nodename, nodeport }) => ({
    company: String(company),
    shard: Number(shardid),
    address: CLUSTER.find((address) => new URL(address).host === `${nodename}:${nodeport}`) ?? '',
  }))
}
