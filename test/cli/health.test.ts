// `tabularium health`, which containers and supervisors run.

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { emptyLocation } from '../support/data-location.ts'
import { freePort } from '../support/free-port.ts'
import { run, SETUP, serveHere, temporaryFolder } from '../support/process.ts'
import { STORE_KINDS } from '../support/world.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

describe.each(STORE_KINDS)('health (%s)', (kind) => {
  it('is 0 for a service that is ready, whatever address of the machine it listens on, and 1 without one', async () => {
    const { flags } = await emptyLocation(kind, join(folder.path, kind))
    const port = String(await freePort())
    const service = await serveHere([
      '--setup',
      SETUP,
      ...flags,
      '--port',
      port,
      '--host',
      '0.0.0.0',
      '--base-path',
      '/web',
    ])
    const settings = join(folder.path, `${kind}.yaml`)
    writeFileSync(settings, `port: ${port}\nhost: 0.0.0.0\nbase-path: /web\nlog-level: warn\n`)
    try {
      expect(await run(['health', '--config', settings])).toEqual({
        code: 0,
        signal: null,
        stdout: 'ready\n',
        stderr: '',
      })
      const elsewhere = await run(['health', '--port', port])
      expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining('is not ready: 401') })
    } finally {
      await service.stop()
    }
    const gone = await run(['health', '--port', port])
    expect(gone).toMatchObject({ code: 1, stderr: `tabularium: no service answers at 127.0.0.1:${port}\n` })
  })
})

it('ends when nothing is answered', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  expect(await run(['health', '--port', String(port)])).toMatchObject({ code: 1, stdout: '' })
  silent.close()
})
