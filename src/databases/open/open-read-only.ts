import { findChainEnd, listChains, type ReadOnlyDatabase } from '../../store/audit/audit-store.ts'
import type { Location, StoreSettings } from '../driver.ts'
import { driverAt } from './drivers.ts'

/**
 * Opens the database read-only: takes no lock and runs no migrations. Throws with a clear message when there is no
 * database, or when this version has never opened it.
 */
export async function openReadOnly({
  attached = [],
  ...location
}: Location & Pick<StoreSettings, 'attached'>): Promise<ReadOnlyDatabase> {
  const driver = driverAt(location)
  const database = await driver.openReadOnly(location, attached)
  try {
    await listChains(database)
    await findChainEnd(database, '')
    return database
  } catch (cause) {
    await database[Symbol.asyncDispose]()
    if (!driver.isOlderSchema(cause)) throw cause
    throw new Error('the database was not opened by this version yet: start the service, or run setup, once', { cause })
  }
}
