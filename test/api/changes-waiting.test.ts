// GET /v1/changes for those who wait: long polls, and Server-Sent Events as the package eventsource reads them.
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { EventSource } from 'eventsource'
import { afterEach, describe, expect, it } from 'vitest'
import { setupTask } from '../../src/app/setup/setup-task.ts'
import { applySetup } from '../../src/setup/apply/apply-setup.ts'
import { soon } from '../support/soon.ts'
import { onEachStore, STORE_KINDS, startWorld, type World } from '../support/world.ts'

const CHANGES = '/v1/changes'
/** Far longer than any test waits. */
const WAITING = `${CHANGES}?wait=55&since=`
const EVENTS = { accept: 'text/event-stream' }

async function makeValue(world: World, attributeValue: string): Promise<void> {
  const body = { attributeId: 'C6', attributeValue }
  const { status } = await world.send({ as: 'integration', method: 'POST', url: '/v1/attribute-values', body })
  expect(status).toBe(201)
}

/** How many wait for changes. */
async function waiting(world: World): Promise<number> {
  const { text } = await world.send({ url: '/metrics' })
  return Number(/^tabularium_queue_running\{queue="changes"\} (\d+)$/m.exec(text)?.[1])
}

const untilWaiting = (world: World, count: number) => soon(async () => expect(await waiting(world)).toBe(count))

async function cursorNow(world: World, as = 'integration'): Promise<string> {
  return (await world.send({ as, url: `${CHANGES}?since=now` })).json.next
}

const poll = (world: World, since: string, as = 'integration') => world.send({ as, url: WAITING + since })

interface ToldEvent {
  readonly type: string
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of any shape.
  readonly data: any
}

/** A stream as the outside parser reads it. */
class Stream {
  readonly events: ToldEvent[] = []
  status = 0
  readonly #source: EventSource

  static async open(world: World, url: string, headers: Record<string, string> = {}, as = 'integration') {
    const authorization = `Bearer ${await world.token(as)}`
    return new Stream(await originOf(world), url, { ...headers, authorization })
  }

  constructor(origin: string, url: string, headers: Record<string, string>) {
    this.#source = new EventSource(origin + url, {
      fetch: async (input, init) => {
        const response = await fetch(input, { ...init, headers: { ...init.headers, ...headers } })
        this.status = response.status
        return response
      },
    })
    for (const type of ['head', 'change', 'end', 'error']) {
      this.#source.addEventListener(type, (event) => {
        // Without data, it is of the connection and not of the service.
        if (!('data' in event) || event.data === undefined) return
        const { data, lastEventId: id } = event as MessageEvent
        this.events.push({ type, id, data: JSON.parse(data) })
      })
    }
  }

  get types(): string[] {
    return this.events.map(({ type }) => type)
  }

  get values(): string[] {
    const changes = this.events.filter(({ type }) => type === 'change')
    return changes.map(({ data }) => data.key.attributeValue)
  }

  close(): void {
    this.#source.close()
  }
}

async function originOf({ application: { server } }: World): Promise<string> {
  if (!server.server.listening) await server.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

onEachStore('Those who wait for changes', (world) => {
  const streams: Stream[] = []
  const stream = async (url: string, headers?: Record<string, string>, as?: string) => {
    const opened = await Stream.open(world(), url, headers, as)
    streams.push(opened)
    return opened
  }

  afterEach(async () => {
    for (const one of streams.splice(0)) one.close()
    await untilWaiting(world(), 0)
  })

  describe('with a long poll', () => {
    it('are answered when a write commits', async () => {
      const answer = poll(world(), await cursorNow(world()))
      await untilWaiting(world(), 1)
      await makeValue(world(), 'AWAITED')
      const { status, json } = await answer
      expect([status, json.changes.length, json.changes[0].key.attributeValue]).toEqual([200, 1, 'AWAITED'])
      expect(json.upToDate).toBe(true)
    })

    it('are answered without a change when the time is over, and go on from there', async () => {
      const since = await cursorNow(world())
      const { status, json } = await world().send({ as: 'integration', url: `${CHANGES}?wait=1&since=${since}` })
      expect([status, json.changes, json.upToDate]).toEqual([200, [], true])
      await makeValue(world(), 'LATER')
      expect(
        (await world().send({ as: 'integration', url: `${CHANGES}?since=${json.next}` })).json.changes,
      ).toHaveLength(1)
    })

    it('are not woken by another company', async () => {
      const answer = poll(world(), await cursorNow(world(), 'sv'), 'sv')
      await untilWaiting(world(), 1)
      await makeValue(world(), 'ELSEWHERE')
      expect(await waiting(world())).toBe(1)
      const body = { attributeId: 'C1', attributeValue: 'HERE' }
      await world().send({ as: 'sv', method: 'POST', url: '/v1/attribute-values', body })
      expect((await answer).json.changes).toHaveLength(1)
    })

    it('hold no slot of a request, have their share, and are all woken by one write', async () => {
      const since = await cursorNow(world())
      const answers: ReturnType<typeof poll>[] = []
      for (let count = 0; count < 1_000; count += 100) {
        for (let at = 0; at < 100; at++) answers.push(poll(world(), since))
        await untilWaiting(world(), count + 100)
      }
      const refused = await poll(world(), since)
      expect([refused.status, refused.json.message]).toEqual([503, 'Too many requests wait for changes.'])
      expect(refused.headers['retry-after']).toBe('5')
      const other = await world().send({ as: 'both', url: `${CHANGES}?since=now` })
      expect(other.status).toBe(200)
      await makeValue(world(), 'ONE')
      const told = new Set((await Promise.all(answers)).map(({ status, text }) => `${status} ${text}`))
      expect(told.size).toBe(1)
      expect([...told][0]).toContain('"attributeValue":"ONE"')
    })

    it('end when their connection is closed', async () => {
      const since = await cursorNow(world())
      const asking = request((await originOf(world())) + WAITING + since, {
        headers: { authorization: `Bearer ${await world().token('integration')}` },
      })
      asking.on('error', () => {}).end()
      await untilWaiting(world(), 1)
      asking.destroy()
      await untilWaiting(world(), 0)
    })
  })

  describe('for events', () => {
    it('get a head, then each change with its cursor, which is never compressed', async () => {
      const events = await stream(`${CHANGES}?since=now`, { 'accept-encoding': 'gzip' })
      await soon(() => expect(events.types).toEqual(['head']))
      expect(events.events[0]?.data.companyId).toBe('EN')
      await makeValue(world(), 'EVENT1')
      await makeValue(world(), 'EVENT2')
      await soon(() => expect(events.values).toEqual(['EVENT1', 'EVENT2']))
      const { json } = await world().send({ as: 'integration', url: `${CHANGES}?since=${events.events[0]?.id}` })
      expect(events.events.slice(1).map(({ data }) => data)).toEqual(json.changes)
      const after = await world().send({ as: 'integration', url: `${CHANGES}?since=${events.events[1]?.id}` })
      expect(after.json.changes).toEqual(json.changes.slice(1))
    })

    it('resume after the last event that they have got, whatever the address says', async () => {
      const first = await stream(`${CHANGES}?since=now`)
      await soon(() => expect(first.types).toEqual(['head']))
      await makeValue(world(), 'BEFORE')
      await soon(() => expect(first.values).toEqual(['BEFORE']))
      first.close()
      await makeValue(world(), 'MEANWHILE1')
      await makeValue(world(), 'MEANWHILE2')
      const resumed = await stream(`${CHANGES}?since=now`, { 'last-event-id': first.events.at(-1)?.id ?? '' })
      await soon(() => expect(resumed.values).toEqual(['MEANWHILE1', 'MEANWHILE2']))
    })

    it('read a long log in one stream', async () => {
      const since = await cursorNow(world())
      for (let at = 0; at < 7; at++) await makeValue(world(), `LONG${at}`)
      const events = await stream(`${CHANGES}?limit=2&since=${since}`)
      await soon(() => expect(events.values).toEqual(Array.from({ length: 7 }, (_, at) => `LONG${at}`)))
    })

    it('have the headers and the text of the standard', async () => {
      const reading = new AbortController()
      const response = await fetch(`${await originOf(world())}${CHANGES}?since=now`, {
        signal: reading.signal,
        headers: {
          ...EVENTS,
          'accept-encoding': 'gzip',
          authorization: `Bearer ${await world().token('integration')}`,
        },
      })
      const { value } = await response.body!.getReader().read()
      reading.abort()
      expect(response.status).toBe(200)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      expect(response.headers.get('content-encoding')).toBeNull()
      expect(Buffer.from(value ?? []).toString()).toMatch(
        /^id: [\w-]{66}\nevent: head\ndata: \{"companyId":"EN",.*\}\n\n$/,
      )
    })

    it('are refused like any request', async () => {
      for (const [url, headers, status] of [
        [`${CHANGES}?since=never`, EVENTS, 400],
        [`${CHANGES}?since=999999999`, EVENTS, 410],
      ] as const) {
        expect((await world().send({ as: 'integration', url, headers })).status).toBe(status)
      }
      expect((await world().send({ url: `${CHANGES}?since=now`, headers: EVENTS })).status).toBe(401)
    })
  })
})

const original = readFileSync('test/fixtures/company.yaml', 'utf8')

describe.each(STORE_KINDS)('Those who wait for changes, when things change on %s', (kind) => {
  let world: Awaited<ReturnType<typeof startWorld>> | undefined
  let hours = 0
  const start = async () => {
    hours = 0
    world = await startWorld(kind, undefined, undefined, { clock: () => new Date(Date.now() + hours * 3_600_000) })
    return world
  }
  afterEach(async () => {
    await world?.stop()
    world = undefined
  })

  const apply = (text: string) => {
    const file = join(world!.folder, 'changed.yaml')
    writeFileSync(file, text)
    return applySetup(setupTask(world!.application.service.store, file, () => {}))
  }

  it('are let go when the service stops, and go on at the next', async () => {
    const running = await start()
    const since = await cursorNow(running)
    const answer = poll(running, since)
    const events = await Stream.open(running, `${CHANGES}?since=now`)
    await untilWaiting(running, 2)
    await running.application.stop(0)
    const { status, json, headers } = await answer
    expect([status, json.changes, json.upToDate, headers.connection]).toEqual([200, [], true, 'close'])
    expect(json.next).toBe(since)
    await soon(() =>
      expect(events.events.at(-1)).toMatchObject({ type: 'end', data: { reason: 'The service is stopping.' } }),
    )
    events.close()
  })

  it('are told when their token has ended', async () => {
    const running = await start()
    const events = await Stream.open(running, `${CHANGES}?since=now`)
    const answer = poll(running, await cursorNow(running))
    await untilWaiting(running, 2)
    hours = 2
    await running.application.service.store.write('EN', { userId: 'x', clientId: '', requestId: '' }, async () => {})
    await soon(() => expect(events.types).toEqual(['head', 'error']))
    expect(events.events.at(-1)?.data).toEqual({ statusCode: 401, message: 'Invalid JWT.' })
    expect((await answer).status).toBe(401)
    events.close()
  })

  it('are told when a setup is applied: those who lost their rights and those who keep them', async () => {
    const running = await start()
    const [kept, lost] = [
      await Stream.open(running, `${CHANGES}?since=now&companyId=SV`, {}, 'sv'),
      await Stream.open(running, `${CHANGES}?since=now`),
    ]
    const since = await cursorNow(running)
    const sinceSv = await cursorNow(running, 'sv')
    const answers = [poll(running, sinceSv, 'sv'), poll(running, since)]
    await untilWaiting(running, 4)
    await apply(original.replace('{ EN: [integration] }', '{ EN: [reader] }'))
    await soon(() =>
      expect(kept.events.at(-1)).toMatchObject({ type: 'end', data: { reason: 'The setup has changed.' } }),
    )
    await soon(() => expect(lost.events.at(-1)).toMatchObject({ type: 'error', data: { code: 2030 } }))
    expect((await answers[1])?.status).toBe(403)
    kept.close()
    lost.close()
    const body = { attributeId: 'C1', attributeValue: 'STILL' }
    await running.send({ as: 'sv', method: 'POST', url: '/v1/attribute-values', body })
    expect((await answers[0])?.json.changes).toHaveLength(1)
  })

  it('start over when their rights have changed since their cursor was made', async () => {
    const running = await start()
    const since = await cursorNow(running)
    const rule = `objects: ["*"]\n    rules: { attribute-values: { filter: "attributeId eq 'C1'" } }`
    await apply(original.replace('objects: ["*"]', rule))
    const url = `${CHANGES}?since=${since}`
    await soon(async () => expect((await running.send({ as: 'integration', url })).status).toBe(410))
    const { headers, json } = await running.send({ as: 'integration', url })
    expect(json.code).toBe(1020)
    expect(String(headers.link)).toContain('</v1/objects/attribute-values?companyId=EN>; rel="resync"')
    const number = (await running.send({ as: 'integration', url: '/v1/objects/attribute-values' })).headers[
      'x-erp-change-number'
    ]
    expect((await running.send({ as: 'integration', url: `${CHANGES}?since=${number}` })).status).toBe(200)
  })
})
