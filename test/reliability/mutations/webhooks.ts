// Mutations that lose webhooks, or send what was delivered again.
import type { Mutation } from './mutation.ts'

export const webhookMutations: readonly Mutation[] = [
  {
    name: 'the position of a subscription is moved after the delivery instead of before',
    find: 'if ((await tx.run(move, { ...leaseKey(lease), ...to })) === 0) return false',
    replace: `const moved = (later: StateTx) => later.run(move, { ...leaseKey(lease), ...to })
    setTimeout(() => void store.writeState(companyId, DELIVERY_MEMBER, moved).catch(() => {}), 1_000)`,
    test: ['test/store/webhook-deliveries.test.ts', 'another service goes on at once, and sends nothing twice'],
  },
  {
    name: 'the lease of a subscription is not asked for when results are recorded',
    find: ".$call(whereEqual(p, 'companyId', 'subscriptionId', 'leaseNo'))\n    .returning(['attempt_count'",
    replace:
      ".$call(whereEqual(p, 'companyId', 'subscriptionId')).where('lease_no', '>=', p('leaseNo'))\n    .returning(['attempt_count'",
    test: ['test/store/webhook-deliveries.test.ts', 'loses nothing that was under way'],
  },
  {
    name: 'webhooks are sent with the rights of the time when the change was handed over',
    find: "const change = event.entity === '' ? undefined : await feed.readOne({ number: event.number, part: event.part })",
    replace: `const read = () => feed.read({ number: event.number - 1, part: 0 }, 1)
    const change = event.entity === '' ? undefined : (await read()).changes[0]`,
    test: ['test/store/webhook-deliveries.test.ts', 'sends nothing that the owner may not see any more'],
  },
  {
    name: 'an event is sent before the one before it of the same record has ended',
    find: `case when count(*) > 0 then \${sql.lit(BEHIND)}`,
    replace: `case when count(*) > 0 then cast(\${p('now')} as bigint)`,
    test: ['test/store/webhook-deliveries.test.ts', 'tries ten times over three days by the plan'],
  },
]
