import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { SharedAllowance } from './shared-allowance.ts'
import type { Amounts } from './sliding-window.ts'

const MINUTE = 60_000

/** The counts of a database, whose answers take a while, each another one. */
class Shared {
  readonly totals = new Map<number, number>()
  questions = 0
  isDown = false

  add = async (amounts: Amounts, since: number): Promise<Amounts> => {
    this.questions += 1
    await delay(this.questions % 3)
    if (this.isDown) throw new Error('down')
    for (const [start, amount] of amounts) this.totals.set(start, (this.totals.get(start) ?? 0) + amount)
    const all = new Map([...this.totals].filter(([start]) => start >= since))
    await delay((this.questions * 2) % 5)
    return all
  }

  get total(): number {
    return [...this.totals.values()].reduce((sum, amount) => sum + amount, 0)
  }
}

const processesOn = (shared: Shared, count: number, most: number, clock = { now: 600_000 }) =>
  Array.from(
    { length: count },
    () => new SharedAllowance({ most, windowMs: MINUTE, add: shared.add, now: () => clock.now }),
  )

/** How many of a burst at all processes were let through. */
async function burst(processes: readonly SharedAllowance[], each: number): Promise<number> {
  const taken = processes.flatMap((one) => Array.from({ length: each }, () => one.takeReserved()))
  return (await Promise.all(taken)).filter(Boolean).length
}

describe('an allowance of several processes', () => {
  it.each([1, 2, 4, 10])('lets just as many through in a burst at %i processes', async (count) => {
    const shared = new Shared()
    const processes = processesOn(shared, count, 100)
    expect(await burst(processes, 150)).toBe(100)
    await Promise.all(processes.map((one) => one.exchange()))
    expect(shared.total).toBe(100)
  })

  it('asks seldom while much is left', async () => {
    const shared = new Shared()
    const [one] = processesOn(shared, 1, 6_000) as [SharedAllowance]
    for (let count = 0; count < 3_000; count++) await one.takeReserved()
    expect(shared.questions).toBeLessThan(10)
    expect(one.used).toBe(3_000)
  })

  it('gives back what it does not use, so that others may', async () => {
    const shared = new Shared()
    const [one, other] = processesOn(shared, 2, 100) as [SharedAllowance, SharedAllowance]
    await one.takeReserved()
    expect(shared.total).toBeGreaterThan(1)
    for (let time = 0; time < 2; time++) await one.exchange()
    expect(shared.total).toBe(1)
    expect(await burst([other], 150)).toBe(99)
  })

  it('hears after a refusal what others have given back', async () => {
    const shared = new Shared()
    const [one, other] = processesOn(shared, 2, 8) as [SharedAllowance, SharedAllowance]
    await one.reserve(4)
    expect(await burst([other], 8)).toBe(4)
    for (let time = 0; time < 2; time++) await one.exchange()
    expect(await other.takeReserved()).toBe(false)
    await other.exchange()
    expect(await burst([other], 8)).toBe(4)
  })

  it('reserves for many at once what is left', async () => {
    const [one] = processesOn(new Shared(), 1, 10) as [SharedAllowance]
    await one.reserve(30)
    const taken = Array.from({ length: 30 }, () => one.take())
    expect(taken.filter(Boolean).length).toBe(10)
  })

  it('counts in the step of the window in which something is used', async () => {
    const clock = { now: 600_000 }
    const shared = new Shared()
    const [one] = processesOn(shared, 1, 100, clock) as [SharedAllowance]
    await one.takeReserved()
    clock.now += 5_000
    await one.takeReserved()
    await one.exchange()
    await one.exchange()
    expect([...shared.totals]).toEqual([
      [600_000, 1],
      [605_000, 1],
    ])
  })

  it('goes on alone while the database does not answer', async () => {
    const shared = new Shared()
    shared.isDown = true
    const [one] = processesOn(shared, 1, 10) as [SharedAllowance]
    expect(await burst([one], 15)).toBe(10)
    shared.isDown = false
    await one.exchange()
    expect(shared.total).toBe(10)
  })
})
