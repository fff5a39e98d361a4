import { systemClock } from '../../base/clock.ts'
import type { EnterpriseDocument } from '../../objects/enterprise-document.ts'
import type { Observe } from '../../observe/observation.ts'
import { seedAttributeValues } from '../../records/attribute-values/seed-attribute-values.ts'
import { kindsOf } from '../../records/kinds/kinds.ts'
import { findPresent } from '../../records/shared/master-data/value-store.ts'
import type { SetupTask } from '../../setup/apply/apply-setup.ts'
import type { Store } from '../../store/store.ts'
import { setupWebhooks } from '../../subscriptions/setup-webhooks.ts'
import { builtInDocuments } from './built-in-documents.ts'

/** The functions by which a setup finds the built-in documents. */
export function findersIn(documents: readonly EnterpriseDocument[]): Pick<SetupTask, 'findBuiltIn' | 'findCommon'> {
  const find = (name: string) => documents.find(({ common }) => common.name === name)
  return { findBuiltIn: (name, company) => find(name)?.of(company), findCommon: (name) => find(name)?.common }
}

export interface WebhookSettings {
  /** Private networks that webhooks may be sent to, such as `10.0.0.0/8`, or `loopback`. Default: none. */
  readonly webhookNetworks?: readonly string[] | undefined
}

/** Everything that applying a setup file needs. */
export function setupTask(
  store: Store,
  file: string,
  observe: Observe,
  {
    text,
    prune,
    actor,
    environment = process.env,
    webhookNetworks,
  }: Partial<Pick<SetupTask, 'text' | 'prune' | 'actor' | 'environment'> & WebhookSettings> = {},
): SetupTask {
  const builtIn = builtInDocuments(systemClock)
  const seedValues = seedAttributeValues
  const webhooks = setupWebhooks([...kindsOf(builtIn).keys()], webhookNetworks)
  return {
    store,
    file,
    text,
    environment,
    actor,
    observe,
    prune,
    seedValues,
    findPresent,
    webhooks,
    ...findersIn(builtIn),
  }
}
