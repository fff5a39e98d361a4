// H9: background work may fail repeatedly without ending the process, and continues afterwards; an uncaught error ends
// the process with a line in the log.
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { base64 } from '../../support/documents.ts'
import { THROWN } from '../../support/faults/fault-sites.ts'
import { call, linesOf, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { IS_FULL, reliabilityTest } from '../../support/reliability-test.ts'
import { FEWER_KINDS, startWorld } from '../../support/world.ts'

const VALUE = '/v1/attribute-values/C1/CC100/0'
/** Signals that cause an unhandled rejection and an uncaught exception. */
const SIGNALS = ['SIGPWR', 'SIGUSR2'] as const
/** The setup is polled every two seconds, counts are shared four times a second. */
const LONG_ENOUGH_MS = 2_500
const ENOUGH_FAILURES = 10

describe.each(FEWER_KINDS)('H9 background on %s', (kind) => {
  let world: Awaited<ReturnType<typeof startWorld>>
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  beforeAll(async () => {
    process.on('unhandledRejection', note)
    world = await startWorld(kind, 'test/fixtures/documents.yaml', '', { rateLimits: { requestsPerMinute: 10_000 } })
  })
  afterAll(async () => {
    process.off('unhandledRejection', note)
    await world?.stop()
  })

  it('H9 goes on when texts, counts, denied accesses and the setup cannot be read or written for a while', () =>
    reliabilityTest('H9', `background work that fails, on ${kind}`, async () => {
      const { service, texts, deniedAccess } = world.application
      const { store } = service
      const methods = ['reading', 'write', 'upsertCounters'] as const
      const [originals, failures] = [methods.map((method) => store[method]), { count: 0 }]
      const body = { docType: 'NOTE', title: 'T', fileName: 'a.txt', fileContent: base64('wanted words') }
      await texts.settle()
      for (const [index, method] of methods.entries()) {
        const fail = (): Promise<never> => {
          const [, thrown] = THROWN[failures.count++ % THROWN.length] as (typeof THROWN)[number]
          // Half of the calls throw, half return a rejected promise.
          if (index === 0 || failures.count % 2) throw thrown
          return Promise.reject(thrown)
        }
        Object.assign(store, { [method]: fail })
      }
      expect((await world.send({ as: 'nobody', url: VALUE })).status).toBe(403)
      const until = performance.now() + LONG_ENOUGH_MS
      while (performance.now() < until || failures.count <= ENOUGH_FAILURES) {
        texts.wake('EN')
        await texts.settle()
        await deniedAccess.write()
        await new Promise((resume) => setTimeout(resume, 10))
      }
      methods.forEach((method, index) => {
        Object.assign(store, { [method]: originals[index] })
      })
      expect(unhandled).toEqual([])
      expect((await world.send({ as: 'integration', method: 'POST', url: '/v1/documents', body })).status).toBe(201)
      await texts.settle()
      const found = await world.send({ as: 'integration', url: '/v1/documents?search=wanted' })
      expect([found.status, found.json.total]).toEqual([200, 1])
      await deniedAccess.write()
      expect(await world.query("select entity from audit_entry where entity = 'access'")).toHaveLength(1)
      return `${failures.count} failures`
    }))
})

describe('H9 a crash', () => {
  it.each(IS_FULL ? SIGNALS : SIGNALS.slice(0, 1))(
    'H9 ends the process with one line in its log, without secrets (%s)',
    (signal) =>
      reliabilityTest('H9', `an error that nobody catches, ${signal}`, async () => {
        const folder = temporaryFolder()
        const crashing = resolve('test/support/faults/crash-on-signal.js')
        const start = () =>
          serve(['--data', folder.path, '--setup', 'test/fixtures/company.yaml'], {
            environment: { NODE_OPTIONS: `--import ${crashing}`, SECRET_OF_OTHERS: 'canarysecret7c90' },
          })
        const service: Serving = await start()
        expect((await call(service.address + VALUE)).status).toBe(200)
        service.child.kill(signal)
        const { code, stderr } = await service.ended
        expect(code).toBe(1)
        const lines = linesOf(stderr).map((line) => JSON.parse(line) as { level: string; msg: string })
        expect(lines).toMatchObject([{ level: 'fatal', msg: 'crashed' }])
        expect(stderr).not.toMatch(/canary/)
        const again = await start()
        expect((await call(again.address + VALUE)).status).toBe(200)
        again.child.kill('SIGKILL')
        await again.ended
        folder.remove()
        return 'exit code 1'
      }),
  )
})
