// The SQL of proposed changes. They are rows of the database, so that every process that serves it knows them.
import { sql } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import type { Companies } from '../../setup/rules/companies.ts'
import type { ProposalTable } from '../../sql/service-tables.ts'
import { placeholdersFor, statement, whereEqual } from '../../sql/statement.ts'
import type { Store } from '../../store/store.ts'

/** The request that applies it. */
export interface ProposedRequest {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly body?: JsonValue | undefined
  /** The record's entity tag when the change was proposed; absent for a record that is to be created. */
  readonly etag?: string | undefined
}

interface Proposer {
  readonly clientId: string
  readonly userId: string
}

/** Long enough for a person to look at it. */
export const LIFETIME_MS = 10 * 60_000
/** One client may have as many in a company at once. */
const MOST_OPEN = 100
/** Writes of state take turns by it. */
const MEMBER = 'proposals'

const insert = statement<Record<keyof ProposalTable, string>>('insert_proposal', (db, p) =>
  db
    .insertInto('proposal')
    .values(placeholdersFor(p, ['company_id', 'proposal_id', 'client_id', 'user_id', 'request', 'expires_at'])),
)

const removeExpired = statement<{ companyId: string; now: string }>('remove_expired_proposals', (db, p) =>
  db.deleteFrom('proposal').where('company_id', '=', p('companyId')).where('expires_at', '<=', p('now')),
)

const count = statement<{ companyId: string; clientId: string }, { open: number }>(
  'count_proposals',
  (_db, p) =>
    sql`select count(*) as open from proposal where company_id = ${p('companyId')} and client_id = ${p('clientId')}`,
)

const find = statement<
  { companyId: string; id: string; clientId: string; userId: string; now: string },
  Pick<ProposalTable, 'request'>
>('find_proposal', (db, p) =>
  db
    .selectFrom('proposal')
    .select('request')
    .where('company_id', '=', p('companyId'))
    .where('proposal_id', '=', p('id'))
    .$call(whereEqual(p, 'clientId', 'userId'))
    .where('expires_at', '>', p('now')),
)

export type ProposalStore = ReturnType<typeof proposalStore>

/** A caller may write a company in other letters: an erasure finds proposals under the id alone. */
export function proposalStore(store: Store, clock: Clock, companies: Companies) {
  return {
    /** Keeps a proposal for ten minutes; false if the client has too many that are open. */
    async keep(company: string, id: string, { clientId, userId }: Proposer, request: ProposedRequest) {
      const now = clock().getTime()
      const companyId = companies.require(company).id
      return await store.writeState(companyId, MEMBER, async (tx) => {
        await tx.run(removeExpired, { companyId, now: new Date(now).toISOString() })
        const { open = 0 } = (await tx.first(count, { companyId, clientId })) ?? {}
        if (Number(open) >= MOST_OPEN) return false
        await tx.run(insert, {
          company_id: companyId,
          proposal_id: id,
          client_id: clientId,
          user_id: userId,
          request: JSON.stringify(request),
          expires_at: new Date(now + LIFETIME_MS).toISOString(),
        })
        return true
      })
    },

    /** The request of a proposal of this caller that has not expired. */
    async find(company: string, id: string, { clientId, userId }: Proposer): Promise<ProposedRequest | undefined> {
      const companyId = companies.require(company).id
      const values = { companyId, id, clientId, userId, now: clock().toISOString() }
      const row = await store.reading(companyId).first(find, values)
      return row && (JSON.parse(row.request) as ProposedRequest)
    },
  }
}
