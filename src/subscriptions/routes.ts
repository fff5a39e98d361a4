// The endpoints of subscriptions: permissions, parameters, bodies and responses.
import { Type } from 'typebox'
import { joinedObjects } from '../base/text.ts'
import { companyParameter, fieldRefusal, ifMatchParameter, refusal } from '../http/openapi/parameters.ts'
import { translatorFor } from '../http/pipeline/reader.ts'
import { createdReply, recordReply } from '../http/route/replies.ts'
import type { ApiRequest, RouteTable } from '../http/route/route.ts'
import { refuseMisspelt } from '../model/option-names.ts'
import { type ParameterDescription, pathParameter } from '../model/option-texts.ts'
import { PatchBody } from '../patch/operations.ts'
import { readParameters } from '../query/parse/parameters.ts'
import { idempotent, type StoredResponse, type WriteReply } from '../records/shared/idempotent.ts'
import {
  patchSubscription,
  removeSubscription,
  requireSubscription,
  type SubscriptionRequest,
  subscriptionNotFound,
} from './change-subscription.ts'
import { createSubscription } from './create-subscription.ts'
import { findBacklog, listBacklogs } from './delivery-log-store.ts'
import { secretText } from './signing-keys.ts'
import { answerOf, type WrittenSubscription } from './subscription-answer.ts'
import { NewSubscription, SubscriptionAnswer, SubscriptionWithSecret } from './subscription-schema.ts'
import type { SubscriptionService } from './subscription-service.ts'
import { findSigningKeys, listKeyedSubscriptions } from './subscription-store.ts'

const COLLECTION = '/v1/subscriptions'
export const SINGLE = `${COLLECTION}/:id`

/** How far a subscription is changes no tag, so a read has no 304 (decision 6.39). */
export const tagHeader = { ETag: 'The state of the subscription, for If-Match. How far it is has no part in it.' }

export const keyParameters: readonly ParameterDescription[] = [
  pathParameter('id', 'The subscription.', Type.String()),
  companyParameter,
]

export const noSuchSubscription = { 404: refusal('There is no such subscription.') }
export const changedSince = { 409: refusal('Somebody has changed the subscription since.') }

const WITH_SECRET = 'The secret that deliveries are signed with is in this answer alone.'

export function subscriptionRoutes(router: RouteTable, service: SubscriptionService): void {
  router.post(COLLECTION, {
    permit: 'subscriptions:create',
    summary: 'Subscribe to changes',
    description: `Events are sent to the url as CloudEvents, signed as Standard Webhooks, with the rights that the client has at that time. ${WITH_SECRET}`,
    parameters: [companyParameter],
    body: NewSubscription,
    answers: {
      201: {
        description: 'The subscription as it was created.',
        schema: SubscriptionWithSecret,
        headers: { ...tagHeader, Location: 'Its address.' },
      },
      400: fieldRefusal('The body cannot be read, a text is too long, or a query is wrong.'),
      410: refusal('The changes after `since` are no longer kept.'),
      422: fieldRefusal('A rule is not met, all findings together; or the company has 100 subscriptions.'),
    },
    handle: (apiRequest) =>
      idempotent(service, apiRequest, {
        write: (request) => createSubscription(service, request),
        ...withSecret(service, apiRequest, (written: WrittenSubscription) =>
          createdReply(written, `${COLLECTION}/${encodeURIComponent(written.id)}`),
        ),
      }),
  })

  router.get(COLLECTION, {
    permit: 'subscriptions:read',
    summary: 'List the subscriptions of the company',
    parameters: [companyParameter],
    answers: {
      200: { description: 'All of them, by id; at most 100.', schema: Type.Array(SubscriptionAnswer) },
    },
    handle: async (request) => {
      readParameters(request.query, ['companyid'])
      return { status: 200, body: JSON.stringify(await listAnswers(service, request)) }
    },
  })

  router.get(SINGLE, {
    permit: 'subscriptions:read',
    summary: 'Read one subscription and how far it is',
    parameters: keyParameters,
    answers: {
      ...noSuchSubscription,
      200: { description: 'The subscription.', schema: SubscriptionAnswer, headers: tagHeader },
    },
    handle: async (request) => {
      refuseMisspelt(request.query)
      return recordReply(await readSubscription(service, { ...request, ...subscriptionIn(request) }))
    },
  })

  router.patch(SINGLE, {
    permit: 'subscriptions:update',
    reportsUnknownCompany: true,
    summary: 'Change a subscription: all operations or none',
    description:
      'Paths: /name, /url, /entities, /filter, /select, /payload, /batch. Only the client that it belongs to may. The position stays.',
    parameters: [...keyParameters, ifMatchParameter],
    body: PatchBody,
    answers: {
      ...noSuchSubscription,
      ...changedSince,
      200: { description: 'The subscription as it is now.', schema: SubscriptionAnswer, headers: tagHeader },
      400: fieldRefusal(
        'An operation cannot be read or applied, a text is too long, or a query is wrong; nothing was changed.',
      ),
      422: fieldRefusal('A rule is not met; nothing was changed.'),
    },
    handle: (request) => writeSubscription(service, request, patchSubscription, recordReply),
  })

  router.delete(SINGLE, {
    permit: 'subscriptions:delete',
    summary: 'Delete a subscription with what was still to be delivered',
    parameters: [...keyParameters, ifMatchParameter],
    answers: {
      ...noSuchSubscription,
      ...changedSince,
      200: { description: 'No body.' },
      422: refusal('The setup declares it.'),
    },
    handle: (request) => writeSubscription(service, request, removeSubscription, () => ({ status: 200 })),
  })
}

export function subscriptionIn({ params }: Pick<ApiRequest, 'params'>): { subscriptionId: string } {
  return { subscriptionId: params.id ?? '' }
}

type Action<Written> = (
  service: SubscriptionService,
  request: SubscriptionRequest & Pick<ApiRequest, 'body'>,
) => Promise<Written>

/** Does something with the subscription of the path; a retry gets the stored answer. */
export function writeSubscription<Written>(
  service: SubscriptionService,
  apiRequest: ApiRequest,
  action: Action<Written>,
  toStored: (written: Written) => StoredResponse,
): Promise<WriteReply> {
  const write = (request: ApiRequest) => action(service, { ...request, ...subscriptionIn(request) })
  return idempotent(service, apiRequest, { write, toStored })
}

/** What is stored in the place of a secret: which key it was. */
interface KeyMade {
  readonly id: string
  readonly madeAt: string
}

/**
 * Answers with the secret. It is not stored with the response for retries: a retry gets it from the subscription,
 * as long as that has it.
 */
export function withSecret(
  service: SubscriptionService,
  { companyId, validateOnly }: ApiRequest,
  toReply: (written: WrittenSubscription) => StoredResponse,
) {
  return {
    toStored: (written: WrittenSubscription): StoredResponse => {
      const { id, madeAt } = written
      return { ...toReply(written), more: { id, madeAt } satisfies KeyMade }
    },
    // A secret that is only tried out signs nothing.
    reply: (written: WrittenSubscription) => joined(toReply(written), validateOnly ? '' : written.secret),
    replay: async (stored: StoredResponse): Promise<WriteReply> => {
      const { id, madeAt } = stored.more as KeyMade
      const keys = await findSigningKeys(service.store.reading(service.companies.require(companyId).id), id)
      const made = [keys?.current, keys?.previous?.key].find((key) => key?.madeAt === madeAt)
      return joined(stored, made ? secretText(made) : '')
    },
  }
}

function joined({ status, headers, body = '{}' }: StoredResponse, secret: string): WriteReply {
  return { status, ...(headers ? { headers } : {}), body: joinedObjects(body, JSON.stringify({ secret })) }
}

type Target = Pick<SubscriptionRequest, 'caller' | 'companyId' | 'subscriptionId'> & Pick<ApiRequest, 'messageLanguage'>

/** All subscriptions of the company, as this client sees them. */
async function listAnswers(
  { store, companies, clock }: SubscriptionService,
  { caller, companyId, messageLanguage }: Omit<Target, 'subscriptionId'>,
): Promise<object[]> {
  const { id } = companies.require(companyId)
  const tx = store.reading(id)
  const subscriptions = await listKeyedSubscriptions(tx)
  const backlogs = new Map((await listBacklogs(tx)).map((backlog) => [backlog.subscription_id, backlog]))
  const reader = { clientId: caller.clientId, at: clock().toISOString(), translate: translatorFor(messageLanguage()) }
  return subscriptions.flatMap((keyed) => {
    const backlog = backlogs.get(keyed.subscription.id)
    // One that was deleted between the two statements.
    return backlog ? [answerOf(id, keyed, backlog, reader)] : []
  })
}

/** One subscription as this client sees it. Throws 404. */
async function readSubscription(
  { store, companies, clock }: SubscriptionService,
  request: Target,
): Promise<{ readonly body: string; readonly change_no: number }> {
  const { id } = companies.require(request.companyId)
  const tx = store.reading(id)
  const keyed = await requireSubscription(tx, request)
  const backlog = await findBacklog(tx, request.subscriptionId)
  // It was deleted between two statements.
  if (!backlog) throw subscriptionNotFound(id, request.subscriptionId)
  const { caller, messageLanguage } = request
  const reader = { clientId: caller.clientId, at: clock().toISOString(), translate: translatorFor(messageLanguage()) }
  const answer = answerOf(id, keyed, backlog, reader)
  return { body: JSON.stringify(answer), change_no: keyed.subscription.changeNo }
}
