// The endpoints of what is done with a subscription, and of the log of its deliveries.
import { type TSchema, Type } from 'typebox'
import { fieldRefusal, ifMatchParameter, refusal } from '../../http/openapi/parameters.ts'
import { recordReply } from '../../http/route/replies.ts'
import type { Route, RouteTable } from '../../http/route/route.ts'
import { fromParameter, limitParameter, listPageIn } from '../../query/parse/parameters.ts'
import { idempotent, type StoredResponse } from '../../records/shared/idempotent.ts'
import {
  changedSince,
  keyParameters,
  noSuchSubscription,
  SINGLE,
  subscriptionIn,
  tagHeader,
  withSecret,
  writeSubscription,
} from '../routes.ts'
import type { WrittenSubscription } from '../subscription-answer.ts'
import {
  Attempt,
  DeadLetter,
  Replay,
  Retried,
  Retry,
  Rotation,
  SubscriptionAnswer,
  SubscriptionWithSecret,
  TestResult,
} from '../subscription-schema.ts'
import type { SubscriptionService } from '../subscription-service.ts'
import { readAttempts, readDeadLetters, retryEvents } from './delivery-log.ts'
import {
  pauseSubscription,
  replaySubscription,
  resumeSubscription,
  rotateSecret,
  testSubscription,
} from './subscription-actions.ts'

export function subscriptionActionRoutes(router: RouteTable, service: SubscriptionService): void {
  router.post(`${SINGLE}/pause`, {
    ...actionTexts('pauseSubscription', 'Stop the delivery: changes are told when it is resumed'),
    handle: (request) => writeSubscription(service, request, pauseSubscription, recordReply),
  })
  router.post(`${SINGLE}/resume`, {
    ...actionTexts('resumeSubscription', 'Deliver again, from where it stopped'),
    handle: (request) => writeSubscription(service, request, resumeSubscription, recordReply),
  })
  router.post(`${SINGLE}/replay`, {
    ...actionTexts('replaySubscription', 'Tell all changes after a position again, or one of them', {
      body: Replay,
      answers: { 410: refusal('The changes after the position are no longer kept.') },
    }),
    handle: (request) => writeSubscription(service, request, replaySubscription, recordReply),
  })
  router.post(`${SINGLE}/rotate`, {
    ...actionTexts('rotateSubscriptionSecret', 'Replace the secret: both sign for a while', {
      body: Rotation,
      schema: SubscriptionWithSecret,
      answers: { 422: fieldRefusal('The time is not within 30 days, or the setup declares the subscription.') },
    }),
    handle: (apiRequest) =>
      idempotent(service, apiRequest, {
        write: (request) => rotateSecret(service, { ...request, ...subscriptionIn(request) }),
        ...withSecret(service, apiRequest, (written: WrittenSubscription) => recordReply(written)),
      }),
  })
  router.post(`${SINGLE}/test`, {
    ...besideTexts('testSubscription', 'Send an event of a test now, and answer how it went', TestResult),
    handle: (request) => writeSubscription(service, request, testSubscription, asAnswer),
  })
  logRoutes(router, service)
}

function logRoutes(router: RouteTable, service: SubscriptionService): void {
  router.get(`${SINGLE}/attempts`, {
    operationId: 'listSubscriptionAttempts',
    permit: 'subscriptions:read',
    summary: 'List the newest attempts to deliver, the newest first',
    parameters: [...keyParameters, limitParameter()],
    answers: {
      ...noSuchSubscription,
      200: { description: 'The newest 1,000 are kept.', schema: Type.Array(Attempt) },
    },
    handle: async (request) => {
      const attempts = await readAttempts(
        service,
        { ...request, ...subscriptionIn(request) },
        listPageIn(request.query).limit,
      )
      return { status: 200, body: JSON.stringify(attempts) }
    },
  })
  router.get(`${SINGLE}/dead-letters`, {
    operationId: 'listDeadLetters',
    permit: 'subscriptions:read',
    summary: 'List the events that were given up, in the order of their changes',
    parameters: [...keyParameters, limitParameter(), fromParameter('change number')],
    answers: {
      ...noSuchSubscription,
      200: { description: 'A page of them.', schema: Type.Array(DeadLetter) },
    },
    handle: async (request) => {
      const letters = await readDeadLetters(
        service,
        { ...request, ...subscriptionIn(request) },
        listPageIn(request.query),
      )
      return { status: 200, body: JSON.stringify(letters) }
    },
  })
  router.post(`${SINGLE}/dead-letters/retry`, {
    ...besideTexts('retryDeadLetters', 'Try to deliver events again that were given up', Retried, Retry),
    handle: (request) => writeSubscription(service, request, retryEvents, asAnswer),
  })
}

function actionTexts(
  operationId: string,
  summary: string,
  { body, schema = SubscriptionAnswer, answers = {} }: ActionTexts = {},
): Omit<Route, 'handle'> {
  return {
    operationId,
    permit: 'subscriptions:update',
    summary,
    parameters: [...keyParameters, ifMatchParameter],
    ...(body ? { body } : {}),
    answers: {
      ...noSuchSubscription,
      ...changedSince,
      200: { description: 'The subscription as it is now.', schema, headers: tagHeader },
      ...(body ? bodyRefusals : {}),
      ...answers,
    },
  }
}

const bodyRefusals: Route['answers'] = {
  400: fieldRefusal('The body cannot be read.'),
  422: fieldRefusal('A rule is not met; nothing was changed.'),
}

interface ActionTexts {
  readonly body?: TSchema
  /** The schema of the answer. */
  readonly schema?: TSchema
  readonly answers?: Route['answers']
}

/** These actions change no subscription. */
function besideTexts(operationId: string, summary: string, schema: TSchema, body?: TSchema): Omit<Route, 'handle'> {
  const { answers, ...texts } = actionTexts(operationId, summary, body ? { body } : {})
  const { 409: _conflict, ...others } = answers
  return {
    ...texts,
    parameters: keyParameters,
    answers: { ...others, 200: { description: 'What came of it.', schema } },
  }
}

function asAnswer(done: object): StoredResponse {
  return { status: 200, body: JSON.stringify(done) }
}
