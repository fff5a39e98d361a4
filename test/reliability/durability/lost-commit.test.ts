// D2: a commit to PostgreSQL whose connection is lost: its outcome is unknown, so the answer claims neither success nor
// failure.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyLocation } from '../../support/data-location.ts'
import { call, kill, run, SETUP, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { STORE_KINDS } from '../../support/world.ts'
import { type CuttingProxy, startCuttingProxy } from './crash/cutting-proxy.ts'

const TRIES = triesOf({ long: 3, full: 100 })
const VALUES = '/v1/attribute-values'

describe.runIf(STORE_KINDS.includes('postgres'))('D2 a commit whose connection is lost', () => {
  const folder = temporaryFolder()
  let proxy: CuttingProxy
  let service: Serving
  beforeAll(async () => {
    const { data, database, flags } = await emptyLocation('postgres', join(folder.path, 'data'))
    await run(['setup', SETUP, ...flags])
    proxy = await startCuttingProxy(database!)
    service = await serve(['--data', data, '--database', proxy.url])
  })
  afterAll(async () => {
    await kill(service)
    await proxy.stop()
    folder.remove()
  })

  it.each([
    { cut: 'before', status: 404 },
    { cut: 'after', status: 200 },
  ] as const)('D2 is in doubt: cut $cut PostgreSQL hears of it', async ({ cut, status }) => {
    await reliabilityTest(
      'D2',
      `nobody is reported what nobody knows: cut ${cut} PostgreSQL hears of the commit`,
      async () => {
        for (let round = 0; round < TRIES; round++) {
          const attributeValue = `${cut}${round}`
          proxy.cutNext = cut
          const reported = await call(service.address + VALUES, {
            method: 'POST',
            body: { attributeId: 'C1', attributeValue },
          })
          expect(reported).toMatchObject({ status: 503, text: expect.stringContaining('it may be there or not') })
          expect((await call(`${service.address}${VALUES}/C1/${attributeValue}/0`)).status).toBe(status)
        }
        return `${TRIES} commits`
      },
    )
  })
})
