// Secrets of the service itself: the same for all processes on a database, and in its backups.
import { randomBytes } from 'node:crypto'
import type { ServiceSecretTable } from '../../sql/service-tables.ts'
import { placeholdersFor, statement } from '../../sql/statement.ts'
import type { Store } from '../store.ts'

const BYTES = 32

const find = statement<{ name: string }, Pick<ServiceSecretTable, 'value'>>('find_service_secret', (db, p) =>
  db.selectFrom('service_secret').select('value').where('name', '=', p('name')),
)

const keep = statement<{ name: string; value: string }>('keep_service_secret', (db, p) =>
  db
    .insertInto('service_secret')
    .values(placeholdersFor(p, ['name', 'value']))
    .onConflict((conflict) => conflict.columns(['name']).doNothing()),
)

/** The secret of this name; made when it is first asked for, by one of the processes that ask. */
export async function serviceSecret(store: Store, name: string): Promise<Buffer> {
  const tx = store.reading('')
  let found = await tx.first(find, { name })
  if (!found) {
    await store.upsertCounters(keep, { name, value: randomBytes(BYTES).toString('base64url') })
    found = await tx.first(find, { name })
  }
  if (!found) throw new Error(`the secret ${name} was not kept`)
  return Buffer.from(found.value, 'base64url')
}
