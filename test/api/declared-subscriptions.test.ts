// `subscriptions:` of a setup: what applying it makes, keeps, changes and removes, and that no secret is told.
import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { setupTask } from '../../src/app/setup/setup-task.ts'
import { applySetup, previewSetup } from '../../src/setup/apply/apply-setup.ts'
import { printSetup } from '../../src/setup/apply/print-setup.ts'
import type { PrunableSection } from '../../src/setup/apply/prune.ts'
import { itemOf } from '../../src/setup/items/setup-item.ts'
import { listSetupItems } from '../../src/store/service-state/setup-store.ts'
import { WebhookReceiver } from '../support/webhooks/receiver.ts'
import { CLIENT_SECRET, onEachStore, startWorld } from '../support/world.ts'

const original = readFileSync('test/fixtures/subscriptions.yaml', 'utf8')
const KEY = randomBytes(32).toString('base64')
const NEXT_KEY = randomBytes(32).toString('base64')
const SEED = randomBytes(32).toString('base64')
const environment = { TEST_CLIENT_SECRET: CLIENT_SECRET, SHOP_KEY: `whsec_${KEY}`, ED_KEY: `whsk_${SEED}` }
const SHOP = 'id: shop, client: integration, url: "https://hooks.example.com/", secretEnv: SHOP_KEY'

/** The setup whose first company declares these. */
function declaring(...subscriptions: string[]): string {
  const list = subscriptions.map((one) => `      - { ${one} }\n`).join('')
  return original.replace('    relations: []\n', `    relations: []\n    subscriptions:${list ? `\n${list}` : ' []\n'}`)
}

onEachStore(
  'declared subscriptions',
  (world) => {
    let receiver: WebhookReceiver
    beforeAll(async () => {
      receiver = await WebhookReceiver.start()
    })
    afterAll(() => receiver.stop())

    const task = (text: string, variables: object = {}, prune?: readonly PrunableSection[]) => {
      const file = join(world().folder, 'declared.yaml')
      writeFileSync(file, text)
      const options = { prune, webhookNetworks: ['loopback'], environment: { ...environment, ...variables } }
      return setupTask(world().application.service.store, file, () => {}, options)
    }
    const apply = (...args: Parameters<typeof task>) => applySetup(task(...args))
    const read = async (id = 'shop') => (await world().send({ as: 'integration', url: `/v1/subscriptions/${id}` })).json
    const secretsOf = async (id: string) =>
      String((await world().query(`select secrets from subscription where subscription_id = '${id}'`))[0]?.secrets)
    beforeEach(() => apply(declaring(), {}, ['subscriptions']))

    it('subscriptions of a setup: are made with their defaults, from now on, as the dry run said', async () => {
      const before = await world().dump()
      const { text } = await previewSetup(task(declaring(SHOP)))
      expect(text).toMatch(/^\+ subscription EN\/shop\n1 created, 0 changed/)
      expect(await world().changesSince(before)).toEqual([])
      expect((await apply(declaring(SHOP))).text).toBe(text)
      const { position, ...shop } = await read()
      const last = await world().query(`select max(entry_no) as no from audit_entry where company_id = 'EN'`)
      expect(position).toBe(Number(last[0]?.no))
      expect(shop).toMatchObject({
        ...{ id: 'shop', name: 'shop', url: 'https://hooks.example.com/', entities: [], filter: '', select: '' },
        ...{ payload: 'thin', batch: false, signature: 'hmac', clientId: 'integration', userId: 'svc-integration' },
        ...{ isSetup: true, state: 'active' },
      })
    })

    it('subscriptions of a setup: are left alone by the same file, and keep position and state when it changes', async () => {
      await apply(declaring(SHOP))
      await world().send({ as: 'integration', method: 'POST', url: '/v1/subscriptions/shop/pause' })
      const paused = await read()
      const before = await world().dump()
      expect((await apply(declaring(SHOP))).text).toMatch(/^0 created, 0 changed/)
      expect((await world().changesSince(before)).filter((row) => !row.startsWith('journal_counter'))).toEqual([])

      const changed = `${SHOP}, name: Shop, entities: [customers], select: customerId, batch: true`
      expect((await apply(declaring(changed))).text).toContain('~ subscription EN/shop: name nothing -> "Shop"')
      const after = await read()
      expect(after).toMatchObject({ name: 'Shop', entities: ['customers'], payload: 'full', batch: true })
      expect([after.state, after.reason, after.position]).toEqual(['paused', paused.reason, paused.position])
    })

    it('subscriptions of a setup: sign with their secret, and with the previous one too after it changed', async () => {
      const here = SHOP.replace('https://hooks.example.com/', receiver.url)
      await apply(declaring(`${here}, entities: [attribute-values]`))
      const { text } = await apply(declaring(`${here}, entities: [attribute-values]`), {
        SHOP_KEY: `whsec_${NEXT_KEY}`,
      })
      expect(text).toMatch(/^~ subscription EN\/shop: secret\n0 created, 1 changed/)
      const tested = await world().send({ as: 'integration', method: 'POST', url: '/v1/subscriptions/shop/test' })
      expect(tested.json.outcome).toBe('delivered')
      const { headers = {}, body: sent = '' } = receiver.received[0] ?? {}
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${sent}`
      const byKey = (key: string) =>
        `v1,${createHmac('sha256', Buffer.from(key, 'base64')).update(signed).digest('base64')}`
      expect(headers['webhook-signature']).toBe(`${byKey(NEXT_KEY)} ${byKey(KEY)}`)
    })

    it('subscriptions of a setup: tell no secret in the report, the change log and the printed setup', async () => {
      const ed = 'id: ed, client: integration, url: "https://hooks.example.com/", signature: ed25519, secretEnv: ED_KEY'
      const { text } = await apply(declaring(SHOP, ed))
      expect((await read('ed')).publicKey).toMatch(/^whpk_/)
      const rows = await listSetupItems(world().application.service.store.reading(''))
      const printed = printSetup(rows.map(itemOf))
      expect(printed).toContain('secretEnv: SHOP_KEY')
      const hashes = rows.flatMap(({ definition }) => /"secretHash":\s*"([0-9a-f]{64})"/.exec(definition)?.[1] ?? [])
      expect(hashes).toHaveLength(2)
      const entries = JSON.stringify(await world().query('select * from audit_entry'))
      for (const secret of [KEY, SEED, ...hashes]) {
        for (const told of [text, printed, entries]) expect(told).not.toContain(secret)
      }
      const holding = [...(await world().dump())].filter((row) => row.includes(KEY))
      expect(holding.map((row) => row.split(' ')[0])).toEqual(['subscription'])
      expect((await apply(printed)).text).toMatch(/^0 created, 0 changed, \d+ unchanged, 0 kept/)
    })

    it('subscriptions of a setup: are changed and deleted by no request', async () => {
      await apply(declaring(SHOP))
      const before = await world().dump()
      const url = '/v1/subscriptions/shop'
      for (const sent of [
        { method: 'PATCH', url, body: [{ op: 'replace', path: '/name', value: 'x' }] },
        { method: 'DELETE', url },
        { method: 'POST', url: `${url}/rotate` },
      ] as const) {
        const { status, json } = await world().send({ as: 'integration', ...sent })
        expect([status, json.code]).toEqual([422, 3010])
        expect(json.message).toBe('The setup declares this subscription: it can be changed there alone.')
      }
      expect(await world().changesSince(before)).toEqual([])
    })

    it('subscriptions of a setup: stay until they are pruned, with an entry of the change log', async () => {
      await apply(declaring(SHOP))
      expect((await apply(declaring())).text).toContain('= subscription EN/shop (not in the file: kept)')
      expect((await read()).id).toBe('shop')
      const without = declaring().replace('    subscriptions: []\n', '')
      await expect(apply(without, {}, ['subscriptions'])).rejects.toThrow(
        "the company EN has no section subscriptions: write 'subscriptions: []' to remove all subscriptions",
      )
      expect((await apply(declaring(), {}, ['subscriptions'])).text).toMatch(/^- subscription EN\/shop\n.*1 removed/)
      expect((await read()).code).toBe(1040)
      expect(await secretsOf('shop')).toBe('undefined')
      const entries = await world().query(
        `select entity from audit_entry where operation = 'delete' and record_key = '["shop"]'
          order by entry_no desc limit 2`,
      )
      expect(entries.map(({ entity }) => entity).sort()).toEqual(['setup-subscription', 'subscription'])
    })

    it('subscriptions of a setup: keep the client that they belong to from being pruned', async () => {
      const of = SHOP.replace('client: integration', 'client: values')
      await apply(declaring(of))
      const before = await world().dump()
      const without = declaring().replace(/^ {2}- \{ id: values, .*\n/m, '')
      await expect(apply(without, {}, ['clients'])).rejects.toThrow(
        'client values cannot be removed: subscription EN/shop, which stays, belongs to it',
      )
      expect(await world().changesSince(before)).toEqual([])
    })

    it('subscriptions of a setup: take no id of one that a client has created, and count with these', async () => {
      const body = { name: 'Own', url: 'https://hooks.example.com/' }
      const made = await world().send({ as: 'integration', method: 'POST', url: '/v1/subscriptions', body })
      const before = await world().dump()
      await expect(apply(declaring(SHOP.replace('id: shop', `id: ${made.json.id}`)))).rejects.toThrow(
        `subscription ${made.json.id}: a client has created one with this id`,
      )
      const many = Array.from({ length: 100 }, (_, at) => SHOP.replace('id: shop', `id: shop-${at}`))
      await expect(apply(declaring(...many))).rejects.toThrow('has 100 subscriptions, which is the most')
      expect(await world().changesSince(before)).toEqual([])
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/subscriptions.yaml'),
)
