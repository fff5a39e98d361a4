// Webhooks that administrators make for clients. Who may give a client another secret can ask all that it may, and so
// learns nothing more by what is told to it.
import type { Caller } from '../../access/caller.ts'
import type { Directory } from '../../access/directory.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { joinedObjects } from '../../base/text.ts'
import { entityNotFound, invalidRecord } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import { readRecord } from '../../model/read-record.ts'
import type { WriteRequest } from '../../records/shared/write-record.ts'
import { readItems } from '../../setup/items/setup-item.ts'
import type { Companies } from '../../setup/rules/companies.ts'
import type { Store } from '../../store/store.ts'
import { createSubscription } from '../../subscriptions/create-subscription.ts'
import type { SubscriptionService } from '../../subscriptions/subscription-service.ts'
import { ClientSubscription } from './access-schema.ts'
import { AccessInForce } from './people.ts'
import type { Administrator } from './require-administrator.ts'

interface Parts {
  readonly store: Store
  readonly directory: Pick<Directory, 'callerOfClient'>
  readonly companies: Pick<Companies, 'known'>
  readonly subscriptions: SubscriptionService
}

type Asking = Pick<Administrator, 'actor'>

/** Throws 404 for a client of others, one that is disabled, or none. */
async function clientOf({ store, directory }: Parts, { actor }: Asking, id: string): Promise<Caller> {
  new AccessInForce(await readItems(store.reading('')), actor.userId).client(id)
  const client = directory.callerOfClient(id)
  if (!client) throw entityNotFound({ id })
  return client
}

/** What the client may be told of: of each company in which it has a role. */
export async function clientEntities(parts: Parts, asking: Asking, id: string): Promise<object> {
  const caller = await clientOf(parts, asking, id)
  const known = [...caller.companyIds].flatMap((companyId) => parts.companies.known(companyId) ?? [])
  const entitiesIn = async (companyId: string) => (await parts.subscriptions.feed.open({ caller, companyId })).covers
  return {
    companies: await Promise.all(known.map(async (one) => ({ id: one.id, entities: await entitiesIn(one.id) }))),
  }
}

type Asked = Pick<WriteRequest, 'caller' | 'requestId' | 'validateOnly'> & { readonly body: JsonValue }

/** The answer, with the secret unless it is only tried. */
export async function subscribeClient(parts: Parts, asking: Asking, id: string, asked: Asked): Promise<string> {
  const client = await clientOf(parts, asking, id)
  const given = readRecord(ClientSubscription, asked.body, new Findings())
  const { companyId = '' } = given
  const findings = new Findings()
  if (!client.knows(companyId)) findings.add('companyId', 3010, `The client has no role in the company '${companyId}'.`)
  if (findings.size > 0) throw invalidRecord(given, findings)
  const { body, secret } = await createSubscription(parts.subscriptions, { ...asked, companyId }, client)
  return asked.validateOnly ? body : joinedObjects(body, JSON.stringify({ secret }))
}
