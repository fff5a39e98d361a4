// H5: uploads of a byte a second occupy the memory that all uploads share; they lock out others for a bounded time
// only.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOCUMENTS, noteOf } from '../../support/documents.ts'
import { call, credentials, kill, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { IS_FULL, reliabilityTest } from '../../support/reliability-test.ts'
import { SlowClients } from '../../support/sockets/slow-clients.ts'
import { FORM_TYPE, field, file, formOf } from '../../support/uploads.ts'

const SETUP = 'test/fixtures/documents.yaml'
/** 2 MiB each: 128 MiB. */
const MOST_UPLOADS = 64
/** Checked every 10 s, and disconnected at the second check. */
const MOST_KEPT_OUT_MS = 20_000
const LATE_MS = 10_000

const MANNERS = {
  json: { opening: `${headOf('application/json')}{"docType":"NOTE","fileContent":"`, drip: 'A' },
  form: {
    opening: headOf(FORM_TYPE['content-type']) + formOf([field('docType', 'NOTE'), file('a.txt', '')], '').toString(),
    drip: 'A',
  },
}

function headOf(type: string): string {
  const lines = ['Host: x', `Authorization: ${credentials}`, `Content-Type: ${type}`, 'Content-Length: 1000000']
  return `POST ${DOCUMENTS} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

describe('H5 slow uploads', () => {
  const folder = temporaryFolder()
  let service: Serving

  beforeAll(async () => {
    service = await serve(['--data', folder.path, '--setup', SETUP])
  })
  afterAll(async () => {
    await kill(service)
    folder.remove()
  })

  const upload = (title: string) => call(service.address + DOCUMENTS, { method: 'POST', body: noteOf(title) })

  it('H5 slow uploads lock others out for a bounded time', () =>
    reliabilityTest('H5', `${MOST_UPLOADS} slow uploads, JSON and forms`, async () => {
      const groups = [MANNERS.json, MANNERS.form].map((manner) => new SlowClients(service.address, manner))
      try {
        for (const [at, load] of groups.entries()) {
          load.add(MOST_UPLOADS / 2, `127.0.0.${20 + at}`)
        }
        let refused = await upload('Among the first')
        // A slow upload may have ended while ours was accepted in its place.
        for (; refused.status === 201; refused = await upload('Among the first')) {
          groups[0]?.add(1, '127.0.0.22')
          await sleep(200)
        }
        for (const load of groups) load.stop()
        const keptOutAt = performance.now()
        expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true])
        // Reads do not use that memory.
        expect((await call(`${service.address}${DOCUMENTS}?limit=1`)).status).toBe(200)
        if (!IS_FULL) for (const load of groups) load.close()
        while ((await upload('Kept out')).status !== 201) await sleep(200)
        const keptOutMs = performance.now() - keptOutAt
        const figures = `others kept out for ${(keptOutMs / 1000).toFixed(1)} s`
        expect(keptOutMs, figures).toBeLessThan(MOST_KEPT_OUT_MS + LATE_MS)
        if (IS_FULL)
          for (const { statusLines } of groups)
            expect([...statusLines.keys()]).toContain('HTTP/1.1 408 Request Timeout')
        return figures
      } finally {
        for (const load of groups) load.close()
      }
    }))
})
