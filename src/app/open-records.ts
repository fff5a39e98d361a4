import { Directory } from '../access/directory.ts'
import { systemClock } from '../base/clock.ts'
import type { EnterpriseDocument } from '../objects/enterprise-document.ts'
import { OwnDocuments } from '../objects/own-documents.ts'
import type { Service } from '../records/shared/service.ts'
import { Companies } from '../setup/companies.ts'
import { RulesInForce } from '../setup/rules-in-force.ts'
import { openStore, requireMade, type StoreSettings } from '../store/open-store.ts'
import { builtInDocuments } from './built-in-documents.ts'

/** The records without a server: what bringing them in and out needs. */
export interface Records {
  readonly service: Service
  /** Built in and the setup's own. */
  readonly documents: readonly EnterpriseDocument[]
  close(): Promise<void>
}

/** Opens the store with the setup in force. Throws when there is none: who looks for records makes no database. */
export async function openRecords(settings: Omit<StoreSettings, 'clock'>): Promise<Records> {
  const { observe } = settings
  await requireMade(settings)
  const store = await openStore({ ...settings, clock: systemClock })
  const [companies, documents] = [new Companies(), new OwnDocuments(store)]
  const builtIn = builtInDocuments(systemClock)
  try {
    await new RulesInForce({ store, companies, directory: new Directory(), documents, observe }).load()
  } catch (error) {
    await store.close()
    throw error
  }
  return {
    service: { store, companies, observe, clock: systemClock },
    documents: [...builtIn, ...documents.all],
    close: () => store.close(),
  }
}
