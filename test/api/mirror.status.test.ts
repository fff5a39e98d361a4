// What a mirror tells of itself: `/v1/mirror` from any process, what could not be kept, and metrics.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setupTask } from '../../src/app/setup/setup-task.ts'
import { findUse, forgetMirror, MIRROR_LEASES } from '../../src/mirror/mirror-store.ts'
import { applySetup } from '../../src/setup/apply/apply-setup.ts'
import { withoutSources } from '../../src/setup/file/setup-text.ts'
import { type MirrorWorld, startMirror } from '../support/mirror.ts'
import { STORE_KINDS } from '../support/world.ts'

describe.each(STORE_KINDS)('the status of a mirror on %s', (kind) => {
  let mirror: MirrorWorld
  const get = async (path: string) => {
    const { status, json } = await mirror.world.send({ as: 'programs', url: `${path}?companyId=EN` })
    return { status, json }
  }
  const sample = async (name: string) => {
    const { text } = await mirror.world.send({ url: '/metrics' })
    const line = text.split('\n').find((one) => one.startsWith(`${name} `))
    return line === undefined ? undefined : Number(line.slice(name.length + 1))
  }

  beforeAll(async () => {
    mirror = await startMirror(kind, { source: { requestsPerMinute: 6_000, share: 0.25 } })
    await mirror.loaded()
  })
  afterAll(async () => mirror?.stop())

  it('tells what is used of the share of the quotas', async () => {
    await mirror.until('the use is told', async () => (await get('/v1/mirror')).json.quota?.requests > 0)
    const { quota } = (await get('/v1/mirror')).json
    expect(quota).toMatchObject({ requestsAllowed: 1_500, bytesAllowed: 158_750_000 })
    expect(quota.requests).toBeLessThanOrEqual(1_500)
    expect(quota.bytes).toBeGreaterThan(0)
  })

  it('tells for each document how many records there are here and there, and of which moment', async () => {
    const { json } = await get('/v1/mirror')
    expect(json).toMatchObject({ companyId: 'EN', url: mirror.url, writes: 'refuse' })
    expect(json.documents.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining([...mirror.names]))
    const rows = mirror.erp.count('customers')
    expect(await mirror.status('customers')).toMatchObject({ rows, sourceRows: rows, phase: 'following', problem: '' })
    const { asOf, ageSeconds, sweptAt } = await mirror.status('customers')
    expect([Date.parse(asOf) <= Date.now(), ageSeconds >= 0, Date.parse(sweptAt) <= Date.parse(asOf)]).toEqual([
      true,
      true,
      true,
    ])
  })

  it('tells what could not be kept as it came', async () => {
    const key = { customerId: '100003' }
    const invoice = mirror.erp.find('customers', key)?.invoice as { creditLimit: number }
    mirror.erp.change('customers', key, { invoice: { ...invoice, creditLimit: 'as much as he likes' } })
    await mirror.until('it is told', async () => (await mirror.status('customers')).misfits === 1)
    const { json } = await get('/v1/mirror/customers')
    expect(json).toEqual([
      { key: ['100003'], findings: [{ member: 'invoice/creditLimit', message: expect.any(String) }] },
    ])
    expect((await get('/v1/mirror/nothing-such')).status).toBe(404)
    mirror.erp.change('customers', key, { invoice })
    await mirror.until('it fits again', async () => (await mirror.status('customers')).misfits === 0)
  })

  it('has metrics that name documents, and no company', async () => {
    expect(await sample('tabularium_mirror_rows{document="customers"}')).toBe(mirror.erp.count('customers'))
    expect(await sample('tabularium_mirror_age_seconds{document="customers"}')).toBeGreaterThanOrEqual(0)
    expect(await sample('tabularium_mirror_requests_total{outcome="answered"}')).toBeGreaterThan(0)
    const used = await sample('tabularium_mirror_quota_used_ratio{quota="requests"}')
    expect(used).toBeGreaterThan(0)
    expect(used).toBeLessThanOrEqual(1)
    mirror.erp.faults.isAway = true
    await mirror.until(
      'it is counted that nobody answers',
      async () => ((await sample('tabularium_mirror_requests_total{outcome="unreachable"}')) ?? 0) > 0,
    )
    await mirror.until('it is told', async () => (await mirror.status('customers')).problem !== '')
    mirror.erp.faults.isAway = false
  })

  it('is not shown to strangers', async () => {
    expect((await mirror.world.send({ url: '/v1/mirror?companyId=EN' })).status).toBe(401)
  })

  it('is filled again by the service that runs when the company gets its source back', async () => {
    const { store } = mirror.world.application.service
    const apply = (text: string) => {
      const file = join(mirror.world.folder, 'changed.yaml')
      writeFileSync(file, text)
      return applySetup(setupTask(store, file, () => {}))
    }
    await apply(withoutSources(mirror.setup).text)
    await mirror.until('it is no mirror', async () => (await get('/v1/mirror')).json.url === undefined)
    await mirror.until('nobody fills it', async () => (await findUse(store.reading('EN'))) === undefined)
    await store.writeState('EN', MIRROR_LEASES.member, async (tx) => forgetMirror(tx))
    mirror.erp.change('customers', { customerId: '100003' }, { customerName: 'Nordlys AS' })
    await apply(mirror.setup)
    const url = "/v1/objects/customers?companyId=EN&filter=customerId eq '100003'&select=customerName"
    await mirror.until('it has the change', async () => {
      const { json } = await mirror.world.send({ as: 'programs', url })
      return json[0]?.customerName === 'Nordlys AS'
    })
    expect((await get('/v1/mirror')).json.url).toBe(mirror.url)
    expect((await mirror.status('customers')).phase).toBe('following')
  })
})
