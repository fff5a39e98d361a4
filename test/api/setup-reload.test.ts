// A setup that is applied while the service runs: in force soon after, on every store; decisions 7 and 8.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { setupTask } from '../../src/app/setup/setup-task.ts'
import { applySetup, previewSetup } from '../../src/setup/apply/apply-setup.ts'
import { soon } from '../support/soon.ts'
import { CLIENT_SECRET, onEachStore } from '../support/world.ts'

const original = readFileSync('test/fixtures/company.yaml', 'utf8')
const url = '/v1/attribute-values/C0/SICK/0'
const basic = `Basic ${Buffer.from(`integration:${CLIENT_SECRET}`).toString('base64')}`

onEachStore('A setup applied while the service runs', (world) => {
  const task = (text: string) => {
    const file = join(world().folder, 'changed.yaml')
    writeFileSync(file, text)
    return setupTask(world().application.service.store, file, () => {})
  }
  const statusOf = async (as: string) => (await world().send({ as, url })).status

  it('changes nothing when it is the same', async () => {
    const { changes, values } = await applySetup(task(original))
    expect(changes.filter((change) => change.kind !== 'unchanged')).toEqual([])
    expect(values.every((one) => one.created === 0 && one.changed === 0)).toBe(true)
  })

  it('is previewed without a trace', async () => {
    const before = await world().dump()
    const { text } = await previewSetup(task(original.replace('SICK: Sickness', 'SICK: Illness, NEW: New reason')))
    expect(text).toContain('+ 1 attribute value of EN/C0')
    expect(text).toContain('~ 1 description of EN/C0')
    expect(await world().changesSince(before)).toEqual([])
  })

  it('gives every collection another tag, and no earlier cached answer', async () => {
    const collection = '/v1/attribute-values/C1'
    const tagOf = async () => (await world().send({ as: 'integration', url: collection })).headers.etag
    let tag: unknown
    // The setup of the test before may come into force just now.
    await soon(async () => {
      tag = await tagOf()
      for (let time = 0; time < 3; time++) expect(await tagOf()).toBe(tag)
    })
    await applySetup(task(original.replace('\nusers:', '  - { id: another, apis: { customers: [read] } }\n\nusers:')))
    await soon(async () => expect(await tagOf()).not.toBe(tag))
  })

  it('creates missing values and updates descriptions, each with its journal entry', async () => {
    await applySetup(task(original.replace('SICK: Sickness', 'SICK: Illness, NEW: New reason')))
    expect((await world().send({ as: 'integration', url })).json.description).toBe('Illness')
    expect((await world().send({ as: 'integration', url: '/v1/attribute-values/C0/NEW/0' })).json.description).toBe(
      'New reason',
    )
    const entries = await world().query(
      `select operation, user_id, record_key from audit_entry where record_key in ('["C0","SICK",0]', '["C0","NEW",0]') order by entry_no`,
    )
    expect(entries.map((entry) => [entry.operation, entry.user_id])).toEqual([
      ['create', 'setup'],
      ['update', 'setup'],
      ['create', 'setup'],
    ])
  })

  it('revokes a role of an authenticated caller, and deletes no record', async () => {
    expect(await statusOf('reader')).toBe(200)
    await applySetup(
      task(original.replace('defaultCompany: EN, roles: { EN: [reader] }', 'defaultCompany: EN, roles: {}')),
    )
    await soon(async () => expect(await statusOf('reader')).toBe(403))
    expect(await statusOf('integration')).toBe(200)
  })

  it('changes the rules of an attribute', async () => {
    await applySetup(task(original.replace('name: ABSREASON,', 'name: ABSREASON, maintenance: system,')))
    await soon(async () => {
      const refused = await world().send({
        as: 'integration',
        method: 'PATCH',
        url,
        body: [{ op: 'replace', path: '/description', value: 'x' }],
      })
      expect(refused.status).toBe(422)
    })
  })

  it('switches HTTP Basic off', async () => {
    const answered = () => world().send({ url, headers: { authorization: basic } })
    expect((await answered()).status).toBe(200)
    await applySetup(task(`${original}\nauthentication: { basic: false }\n`))
    await soon(async () => expect((await answered()).status).toBe(401))
    expect((await answered()).headers['www-authenticate']).toBe('Bearer')
  })
})
