// A database that is there, on a machine so busy that each session takes seconds to begin: starts and commands wait.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, kill, run, SETUP, type Serving, serve, temporaryFolder } from '../support/process.ts'
import { SlowProxy } from '../support/slow-proxy.ts'
import { newDatabase } from '../support/test-database.ts'
import { STORE_KINDS } from '../support/world.ts'

/** Longer than a service waits for an answer to its look at the database. */
const BEGIN_MS = 2_500

describe.runIf(STORE_KINDS.includes('postgres'))('A database whose sessions take seconds to begin', () => {
  const folder = temporaryFolder()
  let proxy: SlowProxy
  let flags: string[] = []
  let service: Serving | undefined
  beforeAll(async () => {
    const url = new URL(await newDatabase())
    proxy = await SlowProxy.start({ host: url.hostname, port: Number(url.port) })
    url.port = String(proxy.port)
    flags = ['--data', join(folder.path, 'data'), '--database', url.href]
  })
  afterAll(async () => {
    if (service) await kill(service)
    await proxy?.stop()
    folder.remove()
  })

  it('is waited for by a first start with two workers, which says so', async () => {
    proxy.beginMs = BEGIN_MS
    service = await serve([...flags, '--setup', SETUP, '--workers', '2'])
    expect((await call(`${service.address}/health/live`)).status).toBe(200)
    service.child.kill('SIGINT')
    const { code, stderr } = await service.ended
    expect(code).toBe(0)
    expect(stderr).toContain('the database does not answer yet: the start waits for it')
  }, 240_000)

  it.each([
    ['backup', join(folder.path, 'backup')],
    ['audit', 'head'],
  ])(
    'is waited for by %s, also while it refuses sessions because it is starting',
    async (...command) => {
      proxy.beginMs = BEGIN_MS
      proxy.refused = 2
      const { code, stderr } = await run([...command, ...flags])
      expect({ code, stderr }).toMatchObject({ code: 0 })
      expect(proxy.refused).toBe(0)
    },
    120_000,
  )
})
