// The SQL of leases: each row of work is done by one process at a time. The number of a lease grows with each holder,
// and every write of a holder names it: one that was believed dead can do no harm.
import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { type RawBuilder, sql } from 'kysely'
import { isProcessAlive } from '../base/process/processes.ts'
import { orUndefined } from '../base/thrown.ts'
import { statement } from '../sql/statement.ts'
import type { ReadTx, Store } from './store.ts'

export interface Lease {
  readonly companyId: string
  /** The id of the row. */
  readonly id: string
  readonly leaseNo: number
}

/** As it was held last. */
interface FreeLease extends Lease {
  /** When it would have ended. Whoever renews it meanwhile has it. */
  readonly endedAt: number
}

/** Another process does the work by now, or there is none any more. */
export class LeaseLost extends Error {}

interface Holder {
  readonly holder: string
  /** In milliseconds since 1970. */
  readonly until: number
}

/** The table has `lease_holder`, `lease_until` and `lease_no`. */
interface LeasedRows {
  readonly table: string
  readonly idColumn: string
  /** The member of a company in fair queues that the work is done as. No client has such an id. */
  readonly member: string
  /** A condition on the table: there is work to do. */
  isOpen(companyId: RawBuilder<never>): RawBuilder<unknown>
}

type Key = { companyId: string; id: string }
type HeldKey = Key & { leaseNo: number }
type LeasedRow = { id: string; lease_no: number; lease_holder: string; lease_until: number }

function statementsOf({ table, idColumn, isOpen }: LeasedRows) {
  const [rows, id] = [sql.table(table), sql.ref(`${table}.${idColumn}`)]
  const idName = sql.ref(idColumn)
  return {
    open: statement<{ companyId: string }, LeasedRow>(
      `list_open_${table}`,
      (_db, p) => sql`select ${idName} as id, lease_no, lease_holder, lease_until from ${rows}
        where company_id = ${p('companyId')} and ${isOpen(p('companyId'))}`,
    ),
    take: statement<HeldKey & { endedAt: number; holder: string; until: number }, { lease_no: number }>(
      `take_${table}_lease`,
      (_db, p) => sql`update ${rows}
        set lease_holder = ${p('holder')}, lease_until = ${p('until')}, lease_no = lease_no + 1
        where company_id = ${p('companyId')} and ${id} = ${p('id')} and ${isOpen(p('companyId'))}
          and lease_no = ${p('leaseNo')} and lease_until = ${p('endedAt')}
        returning lease_no`,
    ),
    renew: statement<HeldKey & { holder: string; until: number }>(
      `renew_${table}_lease`,
      (_db, p) => sql`update ${rows} set lease_until = ${p('until')}
        where company_id = ${p('companyId')} and ${idName} = ${p('id')} and lease_no = ${p('leaseNo')}
          and lease_holder = ${p('holder')}`,
    ),
    release: statement<HeldKey>(
      `release_${table}_lease`,
      (_db, p) => sql`update ${rows} set lease_holder = '', lease_until = 0
        where company_id = ${p('companyId')} and ${idName} = ${p('id')} and lease_no = ${p('leaseNo')}`,
    ),
    releaseAll: statement<{ companyId: string }>(
      `release_${table}_leases`,
      (_db, p) => sql`update ${rows} set lease_holder = '', lease_until = 0
        where company_id = ${p('companyId')} and lease_until > 0`,
    ),
    anyHeld: statement<{ companyId: string }, { lease_no: number }>(
      `find_any_${table}_lease`,
      (_db, p) => sql`select lease_no from ${rows}
        where company_id = ${p('companyId')} and lease_until > 0 limit 1`,
    ),
    held: statement<HeldKey, { lease_no: number }>(
      `find_${table}_lease`,
      (_db, p) => sql`select lease_no from ${rows}
        where company_id = ${p('companyId')} and ${idName} = ${p('id')} and lease_no = ${p('leaseNo')}`,
    ),
  }
}

export class LeaseTable {
  readonly member: string
  readonly #sql: ReturnType<typeof statementsOf>

  constructor(rows: LeasedRows) {
    this.member = rows.member
    this.#sql = statementsOf(rows)
  }

  /** The leases of a company's work that no process does, as they were held last. */
  async listFree(tx: ReadTx, now: number): Promise<FreeLease[]> {
    const { companyId } = tx
    const open = await tx.all(this.#sql.open, { companyId })
    const free = open.filter(({ lease_holder, lease_until }) => lease_until <= now || hasEnded(lease_holder))
    return free.map(({ id, lease_no, lease_until }) => ({ companyId, id, leaseNo: lease_no, endedAt: lease_until }))
  }

  /** Takes a lease that is free; undefined when another process was faster. */
  async take(store: Store, free: FreeLease, { holder, until }: Holder): Promise<Lease | undefined> {
    const { companyId, id } = free
    const values = { ...free, holder, until }
    const row = await store.writeState(companyId, this.member, (tx) => tx.first(this.#sql.take, values))
    return row && { companyId, id, leaseNo: row.lease_no }
  }

  /**
   * Renews leases of a company; returns those that the holder still has. All others end: the holder may have one that
   * it has not heard of, because the answer to its write was lost.
   */
  async renew(store: Store, companyId: string, leases: readonly Lease[], { holder, until }: Holder) {
    return store.writeState(companyId, this.member, async (tx) => {
      const renewed = new Set<Lease>()
      for (const lease of leases) {
        if ((await tx.run(this.#sql.renew, { ...lease, holder, until })) > 0) renewed.add(lease)
      }
      return renewed
    })
  }

  /** Lets another process go on at once. */
  async release(store: Store, lease: Lease): Promise<void> {
    await store.writeState(lease.companyId, this.member, (tx) => tx.run(this.#sql.release, { ...lease }))
  }

  /** Takes the leases from their holders, all of which have ended. */
  async releaseAll(store: Store, companyId: string): Promise<void> {
    if (!(await store.reading(companyId).first(this.#sql.anyHeld, { companyId }))) return
    await store.writeState(companyId, this.member, (tx) => tx.run(this.#sql.releaseAll, { companyId }))
  }

  /** Whether no other process has taken the lease. */
  async isHeld(tx: ReadTx, lease: Lease): Promise<boolean> {
    return (await tx.first(this.#sql.held, { ...lease })) !== undefined
  }
}

// What a holder of leases is called: by it, other processes of the same machine see at once that it has ended, and do
// not wait for the end of its leases. Of holders on other machines and in other containers nothing can be seen.

/** The ids of processes mean the same where this is the same; empty where that cannot be known. */
function place(): string {
  const boot = '/proc/sys/kernel/random/boot_id'
  return orUndefined(() => `${readFileSync(boot, 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`) ?? ''
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
