import { describe, expect, it, vi } from 'vitest'
import { AdmissionQueue, type Release } from './admission-queue.ts'

const flow = (name: string) => ({ group: name[0] ?? '', member: name.slice(1) })
const refusal = () => new Error('full')
const turn = () => new Promise((resume) => setImmediate(resume))

/** Records which requests are served and rejected, in order. */
function watched(semaphore: AdmissionQueue) {
  const served: string[] = []
  const rejected: string[] = []
  const releases: Release[] = []
  const ask = (name: string, amount = 1) =>
    void semaphore.acquire(flow(name), amount).then(
      (release) => {
        served.push(name)
        releases.push(release)
      },
      () => rejected.push(name),
    )
  return { served, rejected, releases, ask }
}

describe('A fair semaphore', () => {
  it('serves one flow with much waiting no more often than one with little', async () => {
    const { served, releases, ask } = watched(new AdmissionQueue({ inFlight: 1, waiting: 99, refusal }))
    for (let time = 0; time < 4; time++) ask('a1')
    ask('b1')
    await turn()
    for (let time = 0; time < 4; time++) {
      releases.at(-1)?.()
      await turn()
    }
    expect(served.join(' ')).toBe('a1 a1 b1 a1 a1')
  })

  it('serves the group first that has used the least time, where it goes by that, until nobody is left', async () => {
    const queue = new AdmissionQueue({ inFlight: 1, waiting: 99, refusal, isByTime: true })
    const { served, releases, ask } = watched(queue)
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    const releaseAfter = async (ms: number) => {
      now += ms
      releases.shift()?.()
      await turn()
    }
    for (let time = 0; time < 3; time++) ask('a1')
    for (let time = 0; time < 4; time++) ask('b1')
    await turn()
    for (const ms of [50, 10, 10, 10, 10, 50, 50]) await releaseAfter(ms)
    expect(served.join(' ')).toBe('a1 b1 b1 b1 b1 a1 a1')
    for (const name of ['b1', 'a1', 'c1']) ask(name)
    await turn()
    for (let time = 0; time < 3; time++) await releaseAfter(1)
    expect(served.slice(7).join(' ')).toBe('b1 a1 c1')
    clock.mockRestore()
  })

  it('leaves to others what a member and a group may not have', async () => {
    const semaphore = new AdmissionQueue({ inFlight: 4, maxPerGroup: 3, maxPerMember: 2, waiting: 99, refusal })
    const { served, ask } = watched(semaphore)
    for (const name of ['a1', 'a1', 'a1', 'a2', 'a2', 'b1']) ask(name)
    await turn()
    expect([served.join(' '), semaphore.used, semaphore.waiting]).toEqual(['a1 a1 a2 b1', 4, 2])
  })

  it('keeps what comes free for the one whose turn it is, when that one asks for more', async () => {
    const { served, releases, ask } = watched(new AdmissionQueue({ inFlight: 2, waiting: 99, refusal }))
    ask('a1')
    ask('b1')
    ask('c1', 2)
    await turn()
    releases[0]?.()
    ask('d1')
    await turn()
    releases[1]?.()
    await turn()
    expect(served.join(' ')).toBe('a1 b1 c1')
  })

  it('gives back once, refuses who finds no room, who is abandoned and, when closed, everybody', async () => {
    const semaphore = new AdmissionQueue({ inFlight: 1, waiting: 2, refusal })
    const { served, rejected, releases, ask } = watched(semaphore)
    for (const name of ['a1', 'a1', 'a1', 'a1', 'b1']) ask(name)
    await turn()
    expect([served, rejected]).toEqual([['a1'], ['a1', 'a1']])
    let stop = () => {}
    semaphore.acquire(flow('c1'), 1, (listener) => (stop = listener)).catch(() => rejected.push('c1'))
    stop()
    await turn()
    releases[0]?.()
    releases[0]?.()
    await turn()
    expect([served.join(' '), semaphore.used, semaphore.waiting]).toEqual(['a1 a1', 1, 1])
    semaphore.close(new Error('over'))
    ask('d1')
    await turn()
    expect(rejected.slice(2)).toEqual(['c1', 'b1', 'd1'])
  })
})
