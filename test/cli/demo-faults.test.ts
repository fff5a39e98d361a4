// The demo as a source that behaves badly: `demo --faults`.
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_AUTHORIZATION, demoFolder } from '../support/demo.ts'
import { run, serveHere } from '../support/process.ts'

let data: string
beforeAll(async () => {
  data = await demoFolder()
})
afterAll(() => rmSync(data, { recursive: true, force: true }))

const CUSTOMERS = '/v1/objects/customers?$select=customerId&$limit=3'
/** Those of no records: asked so often that none would be answered well by chance alone. */
const OTHER_ADDRESSES = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? '/health/live' : '/openapi.json'))
const VALUE = '/v1/attribute-values/C1/2510/0'

interface Source {
  get(path: string): Promise<Response>
  patch(path: string, operations: object[]): Promise<Response>
}

/** Does something with a demo of such faults. The records of all of them are the same. */
async function withFaults<T>(faults: string, work: (source: Source) => Promise<T>): Promise<T> {
  const args = ['--data', data, '0']
  const demo = await serveHere(faults === '' ? args : [...args, '--faults', faults], {}, 'demo')
  const send = (path: string, init: RequestInit = {}) =>
    fetch(demo.address + path, { ...init, headers: { ...DEMO_AUTHORIZATION, 'content-type': 'application/json' } })
  try {
    return await work({
      get: send,
      patch: (path, operations) => send(path, { method: 'PATCH', body: JSON.stringify(operations) }),
    })
  } finally {
    await demo.stop()
  }
}

describe('a demo with faults', () => {
  it('refuses a share of the requests for records, the same for the same seed, and says when to come again', async () => {
    const others: number[] = []
    const statuses = (faults: string) =>
      withFaults(faults, async ({ get }) => {
        const answers: Response[] = []
        for (let at = 0; at < 60; at++) answers.push(await get(CUSTOMERS))
        for (const path of OTHER_ADDRESSES) others.push((await get(path)).status)
        return answers
      })
    const answers = await statuses('429=0.3, 503=0.3, seed=7')
    const first = answers.map(({ status }) => status)
    expect(new Set(first)).toEqual(new Set([200, 429, 503]))
    expect((await statuses('429=0.3,503=0.3,seed=7')).map(({ status }) => status)).toEqual(first)
    for (const answer of answers) {
      const again = answer.headers.get('retry-after')
      if (answer.status === 200) expect(again).toBeNull()
      else expect(await answer.json()).toEqual({ code: 1020, message: expect.stringContaining('again') })
      if (answer.status === 429) expect(again).toBe('1')
      if (answer.status === 503) expect(new Date(again!).toUTCString()).toBe(again)
      expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]+$/)
    }
    expect(others).toEqual(Array(20).fill(200))
  })

  it('cuts answers off in their body, whether compressed, whole or part by part, after it has done what was asked', async () => {
    await withFaults('cut=1', async ({ get, patch }) => {
      for (const path of [CUSTOMERS, VALUE, '/v1/objects/attribute-values', '/v1/nothing', CUSTOMERS]) {
        await expect(get(path).then((answer) => answer.text())).rejects.toThrow()
      }
      await expect(
        patch(VALUE, [{ op: 'replace', path: '/customValue', value: 12.5 }]).then((answer) => answer.text()),
      ).rejects.toThrow()
    })
    await withFaults('', async ({ get }) => {
      expect(await (await get(VALUE)).json()).toMatchObject({ customValue: 12.5 })
    })
  })

  it('shifts pages by offset, and none by key', async () => {
    await withFaults('shift,seed=3', async ({ get }) => {
      const idsOf = async (query: string) => {
        const rows = (await (await get(`/v1/objects/customers?$select=customerId&${query}`)).json()) as {
          customerId: string
        }[]
        return rows.map(({ customerId }) => customerId)
      }
      const all = await idsOf('$limit=50')
      expect(await idsOf('$offset=0&$limit=50')).toEqual(all)
      const begins = []
      for (let at = 0; at < 20; at++) begins.push(all.indexOf((await idsOf('$offset=10&$limit=1'))[0]!))
      expect(new Set(begins)).toEqual(new Set([9, 11]))
      expect(await idsOf(`$filter=customerId gt '${all[9]}'&$limit=1`)).toEqual([all[10]])
    })
  })

  it('counts a quota of slow answers, and tells what is left', async () => {
    await withFaults('quota=3:1,slow=1:1', async ({ get }) => {
      const answers = []
      for (let at = 0; at < 4; at++) answers.push(await get(CUSTOMERS))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
      expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['2', '1', '0', '0'])
      expect(Number(answers[3]!.headers.get('retry-after'))).toBeGreaterThan(0)
    })
  })
})

describe('--faults', () => {
  it.each([
    ['429=2', "'429' has '2': expected a share of the requests from 0 to 1, such as 429=0.05."],
    ['503', "'503' has no value: expected a share"],
    ['cut=', "'cut' has '': expected a share"],
    ['slow=0.1:x', "'slow' has 'x': expected a share of the requests from 0 to 1, and milliseconds up to 600000"],
    ['slow=0.1:600001', "'slow' has '0.1:600001': expected"],
    ['slow=0.1:1:1', "'slow' has '0.1:1:1': expected"],
    ['quota=0', "'quota' has '0': expected requests a minute, and perhaps megabytes in five minutes"],
    ['shift=1', "'shift' has '1': expected no value."],
    ['seed=-1', "'seed' has '-1': expected a whole number"],
    ['429=0.1,429=0.1', "'429' is there twice."],
    ['429=0.6,slow=0.6', 'The shares of 429, 503, slow and cut are more than 1 together.'],
    ['toString=1', "'toString=1' is none of 429, 503, cut, slow, quota, shift, seed"],
    ['', "'' is none of 429, 503, cut, slow, quota, shift, seed"],
  ])('says what was expected in place of %s', async (list, message) => {
    const { code, stdout, stderr } = await run(['demo', '--faults', list])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('is none of serve', async () => {
    const { code, stderr } = await run(['serve', '--faults', 'shift'])
    expect([code, stderr]).toEqual([2, expect.stringContaining("unknown option '--faults'")])
  })
})
