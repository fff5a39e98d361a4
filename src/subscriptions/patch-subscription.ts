import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '../base/strict-json.ts'
import { coded, invalidRecord } from '../errors/catalogue.ts'
import { Findings } from '../errors/findings.ts'
import { applyOperations } from '../patch/apply-operations.ts'
import { type PatchOperation, parseOperations } from '../patch/operations.ts'
import type { PatchRule } from '../patch/rules.ts'
import { changeSubscription, type SubscriptionRequest } from './change-subscription.ts'
import { checkSubscription, definitionOf } from './check-subscription.ts'
import type { SubscriptionDefinition } from './subscription.ts'
import type { WrittenSubscription } from './subscription-answer.ts'
import { SubscriptionMembers } from './subscription-schema.ts'
import type { SubscriptionService } from './subscription-service.ts'
import { updateSubscription } from './subscription-store.ts'

const RULES: readonly PatchRule[] = [
  { path: '/name', ops: ['replace'] },
  { path: '/url', ops: ['replace'] },
  { path: '/entities' },
  { path: '/entities/*' },
  { path: '/entities/-' },
  { path: '/filter' },
  { path: '/select' },
  { path: '/payload', ops: ['replace'] },
  { path: '/batch', ops: ['replace'] },
]

/** Changes what the client has given; the position stays. All operations or none. */
export async function patchSubscription(
  service: SubscriptionService,
  request: SubscriptionRequest & { readonly body: JsonValue | undefined },
): Promise<WrittenSubscription> {
  const operations = parseOperations(request.body ?? null)
  return changeSubscription(service, request, { isOwners: true, isOfApi: true }, async (tx, found) => {
    const { subscription } = found
    const definition = patched(subscription.definition, operations)
    if (isDeepStrictEqual(definition, subscription.definition)) return found
    const findings = new Findings()
    const subscriber = { caller: request.caller, companyId: tx.companyId }
    await checkSubscription(service, subscriber, definition, findings, subscription.definition)
    if (findings.size > 0) throw invalidRecord(definition, findings)
    return { ...found, subscription: updateSubscription(tx, { ...subscription, definition }) }
  })
}

function patched(definition: SubscriptionDefinition, operations: readonly PatchOperation[]): SubscriptionDefinition {
  const { signature, entities, ...members } = definition
  const before = { ...members, entities: [...entities] }
  const { record, failures } = applyOperations(SubscriptionMembers, RULES, before, operations)
  if (record) return definitionOf({ ...record, signature })
  // The messages of all failures and the code of the first; no operation was applied.
  throw coded(400, failures[0]?.code ?? 4020, failures.map(({ message }) => message).join('; '))
}
