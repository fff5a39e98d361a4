// Parts of a transaction that can be rolled back alone.
import { isFault } from './faults.ts'
import type { Transaction } from './transaction.ts'

/** Runs `work`; its rejection rolls back what it has done. Rethrows every error. */
export async function inSavepoint<T>(
  transaction: Transaction,
  name: string,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const { session, pending } = transaction
  pending.add(session.query(`savepoint ${name}`))
  try {
    const value = await work(transaction)
    pending.add(session.query(`release ${name}`))
    return value
  } catch (error) {
    // If an earlier part has caused the error, this savepoint does not exist, and all parts fail at the commit.
    if (!isFault(error)) pending.add(session.query(`rollback to ${name}; release ${name}`))
    throw error
  }
}
