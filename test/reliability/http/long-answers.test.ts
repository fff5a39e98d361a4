// H11: answers larger than any text that a process can hold, with rows longer than any that is accepted today, are
// streamed; a setup that lists such records compares them without loading all of them.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { setupTask } from '../../../src/app/setup/setup-task.ts'
import { applySetup } from '../../../src/setup/apply/apply-setup.ts'
import { reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { listen } from '../../support/uploads.ts'
import { onEachStore } from '../../support/world.ts'

/** In the short form more than a PostgreSQL session may return at once, in the full one more than a text can hold. */
const ROWS = triesOf({ long: 70, full: 540 })
const LENGTH = 1_000_000
const VALUE = '/v1/attribute-values/C6'
/** A statement that inserts them directly, as the service accepts no such text. */
const ADD = {
  sqlite: `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${ROWS})`,
  postgres: `with numbers as (select n from generate_series(1, ${ROWS}) as n)`,
}
const TEXT = {
  sqlite: `replace(hex(zeroblob(${LENGTH / 2})), '0', 'a')`,
  postgres: `repeat('a', ${LENGTH})`,
}

onEachStore('H11 long answers', (world, kind) => {
  it('H11 streams rows of 1 MB, and goes on', () =>
    reliabilityTest('H11', `rows of 1 MB on ${kind}`, async () => {
      await world().query(
        `insert into attribute_value (company_id, attribute_id, attribute_value, period_to, description, status, updated_at)
        ${ADD[kind]} select 'EN', 'C6', 'L' || n, 209912, ${TEXT[kind]}, 'N', '2026-01-01T00:00:00.000Z' from numbers`,
      )
      const address = await listen(world())
      const headers = { authorization: `Bearer ${await world().token('integration')}` }
      let bytes = 0
      let most = 0
      for (const path of ['/v1/objects/attribute-values?limit=2000', `${VALUE}?limit=2000`, `${VALUE}/L1/0`]) {
        const answer = await fetch(address + path, { headers })
        let length = 0
        for await (const piece of answer.body as ReadableStream<Uint8Array>) {
          length += piece.length
          most = Math.max(most, process.memoryUsage.rss())
        }
        expect([path, answer.status, length > (path.includes('?') ? ROWS : 1) * LENGTH]).toEqual([path, 200, true])
        bytes += length
      }
      return `${bytes} bytes answered, at most ${Math.round(most / 1e6)} MB of memory, the test's own included`
    }))

  it('H11 applies a setup that lists them', () =>
    reliabilityTest('H11', `a setup of rows of 1 MB on ${kind}`, async () => {
      const listed = Array.from({ length: ROWS }, (_, at) => `L${at + 1}: Short again`)
      const file = join(mkdtempSync(join(tmpdir(), 'tabularium-h11-')), 'company.yaml')
      const original = readFileSync('test/fixtures/company.yaml', 'utf8')
      writeFileSync(file, original.replace('OSLO: Oslo,', `OSLO: Oslo, ${listed.join(', ')},`))
      const task = setupTask(world().application.service.store, file, () => {})
      const { values } = await applySetup(task)
      expect(values).toContainEqual({ companyId: 'EN', attributeId: 'C6', created: 0, changed: ROWS })
      expect((await applySetup(task)).values).toContainEqual({
        companyId: 'EN',
        attributeId: 'C6',
        created: 0,
        changed: 0,
      })
      const { json } = await world().send({ as: 'integration', url: `${VALUE}/L${ROWS}/0` })
      expect(json.description).toBe('Short again')
      return `${ROWS} rows`
    }))
})
