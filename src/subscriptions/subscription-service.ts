// What the use cases of subscriptions need.
import type { Directory } from '../access/directory.ts'
import type { ChangeFeed } from '../changes/feed/feed.ts'
import type { Service } from '../records/shared/service.ts'
import type { WebhookReply, WebhookRequest } from './webhook-sender.ts'

export interface SubscriptionService extends Service {
  readonly feed: ChangeFeed
  readonly deliveries: Deliveries
  /** Whose rights each subscription has. */
  readonly directory: Pick<Directory, 'callerOfClient' | 'absenceOf'>
  /** Generates the ids of subscriptions: GUIDs in lower case. */
  readonly newId: () => string
}

/** What delivers, as far as requests need it. */
interface Deliveries {
  /** The path below which the service answers; empty at the root. */
  readonly basePath: string
  /** Why webhooks cannot be sent to the URL, as far as it tells without a look-up; undefined if they can. */
  refusalOf(url: string): string | undefined
  /** Tells that something of the company may be due. */
  wake(companyId: string): void
  /** Sends a request once, at once. Never throws. */
  send(request: WebhookRequest): Promise<WebhookReply>
}
