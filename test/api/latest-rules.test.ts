// A write follows the setup that was applied last, also at a server that has not noticed it yet.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { setupTask } from '../../src/app/setup/setup-task.ts'
import { applySetup } from '../../src/setup/apply/apply-setup.ts'
import { answersOf, sendBatch } from '../support/batch.ts'
import { soon } from '../support/soon.ts'
import { onEachStore, startWorld, type World } from '../support/world.ts'

const SETUP = 'test/fixtures/company.yaml'
const DOCUMENTS = 'test/fixtures/documents.yaml'
const VALUES = '/v1/attribute-values'
const original = readFileSync(SETUP, 'utf8')
const LETTERS = original.replace('pattern: "[A-Z0-9]+"', 'pattern: "[A-Z]+"')
/** Servers look for a setup every 250 ms: of so many writes directly behind one, most come before that. */
const ROUNDS = 4

/** Applies a setup as another server does: this one is not told. */
async function apply({ application, folder }: World, text: string): Promise<void> {
  const file = join(folder, 'changed.yaml')
  writeFileSync(file, text)
  await applySetup(setupTask(application.service.store, file, () => {}))
}

const postValue = (world: World, attributeValue: string) =>
  world.send({ as: 'integration', method: 'POST', url: VALUES, body: { attributeId: 'C0', attributeValue } })

/** Until rules that allow a value with this name are in force. */
async function untilAllowed(world: World, attributeValue: string): Promise<void> {
  await soon(async () => {
    const answer = await world.send({
      as: 'integration',
      method: 'POST',
      url: `${VALUES}?validateOnly=true`,
      body: { attributeId: 'C0', attributeValue },
    })
    expect(answer.status).toBe(200)
  })
}

onEachStore('A setup that was just applied', (world) => {
  it('holds for the first write behind it', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await untilAllowed(world(), `A${round}`)
      await apply(world(), LETTERS)
      const before = await world().dump()
      const answer = await postValue(world(), `A${round}`)
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('[A-Z]+')])
      expect((await postValue(world(), `LETTERS${'X'.repeat(round)}`)).status).toBe(201)
      expect((await world().changesSince(before)).filter((row) => row.includes(`"A${round}"`))).toEqual([])
      await apply(world(), original)
    }
  })

  it('takes a right away from the first write behind it', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await untilAllowed(world(), `B${round}`)
      const withoutRight = original.replace(
        'attribute-values: [create, read, update',
        'attribute-values: [read, update',
      )
      await apply(world(), withoutRight)
      expect((await postValue(world(), `B${round}`)).status).toBe(403)
      await apply(world(), original)
    }
  })

  it('refuses an operation of a batch under older rules, which may be sent again', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await untilAllowed(world(), `C${round}`)
      await apply(world(), LETTERS)
      const body = { attributeId: 'C0', attributeValue: `C${round}` }
      const [operation] = await answersOf(sendBatch(world(), [{ method: 'POST', url: VALUES, body }]))
      expect([422, 503]).toContain(operation?.status)
      if (operation?.status === 503) expect(JSON.stringify(operation)).toContain('Another setup was applied meanwhile')
      await apply(world(), original)
    }
  })
})

onEachStore(
  'A setup that was just applied, beside uploads',
  (world) => {
    it('lets a document be written under it, or sent again', async () => {
      const text = readFileSync(DOCUMENTS, 'utf8')
      const statuses: number[] = []
      // Until the server has not noticed a setup yet when the document is written.
      for (let round = 0; !statuses.includes(503); round++) {
        await apply(world(), text)
        const answer = await world().send({
          as: 'integration',
          method: 'POST',
          url: '/v1/documents',
          body: { docType: 'NOTE', title: `D${round}`, fileName: 'a.bin', fileContent: 'AAAA' },
        })
        statuses.push(answer.status)
        expect([201, 503]).toContain(answer.status)
        if (answer.status === 503)
          expect([answer.headers['retry-after'], answer.json.message]).toEqual([
            '1',
            'Another setup was applied meanwhile. Nothing was written; try again.',
          ])
      }
    })
  },
  (kind) => startWorld(kind, DOCUMENTS),
)
