import { Directory } from '../../access/directory.ts'
import { systemClock } from '../../base/clock.ts'
import type { StoreSettings } from '../../databases/driver.ts'
import { driverAt } from '../../databases/open/drivers.ts'
import { openStore } from '../../databases/open/open-store.ts'
import { DeclaredDocuments } from '../../objects/declared-documents.ts'
import type { EnterpriseDocument } from '../../objects/enterprise-document.ts'
import { customerDocument } from '../../records/kinds/customer-document.ts'
import type { DeclaredRecords, Service } from '../../records/shared/service.ts'
import { ActiveRules } from '../../setup/items/active-rules.ts'
import { Companies } from '../../setup/rules/companies.ts'
import { builtInDocuments } from './built-in-documents.ts'

/** Access to the records without a server, for import and export. */
export interface Records extends AsyncDisposable {
  readonly service: Service
  /** Built-in and custom documents. */
  readonly documents: readonly EnterpriseDocument[]
}

/** Opens an existing store with its setup. Throws when there is no database, instead of creating an empty one. */
export async function openRecords(settings: Omit<StoreSettings, 'clock'>): Promise<Records> {
  const { observe } = settings
  await driverAt(settings).requireSetUp(settings)
  await using resources = new AsyncDisposableStack()
  const store = await openStore({ ...settings, clock: systemClock })
  resources.defer(() => store.close())
  const [companies, documents] = [new Companies(), new DeclaredDocuments(store, undefined, customerDocument)]
  const builtIn = builtInDocuments(systemClock, () => documents)
  await new ActiveRules({ store, companies, directory: new Directory(), documents, observe }).load()
  const open = resources.move()
  return {
    service: { store, companies, own: ownDocuments(builtIn, documents), observe, clock: systemClock },
    documents: [...builtIn, ...documents.all],
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** The documents of the setup, whose records may refer to each other and to those of the service. */
export function ownDocuments(builtIn: readonly EnterpriseDocument[], custom: DeclaredDocuments): DeclaredRecords {
  return {
    get records() {
      return custom.records
    },
    findRecord: (version, name) => custom.findRecord(version, name),
    definitionOf: (name, company) =>
      [...custom.all, ...builtIn].find(({ common }) => common.name === name)?.of(company),
  }
}
