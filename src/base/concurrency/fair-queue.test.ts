import { describe, expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const flow = (name: string) => ({ group: name[0] ?? '', member: name.slice(1) })

function queueOf(maxLength: number, names: readonly string[]) {
  const queue = new FairQueue<string>(maxLength)
  const dropped = names.map((name) => queue.push(flow(name), name))
  return { queue, dropped: dropped.filter((one) => one !== undefined) }
}

function served(queue: FairQueue<string>): string {
  const names: string[] = []
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) names.push(next)
  return names.join(' ')
}

describe('A fair queue', () => {
  it('serves groups in turn, and within a group its members', () => {
    const { queue } = queueOf(20, ['a1', 'a1', 'a1', 'a1', 'a2', 'a2', 'b1', 'b1', 'c1'])
    expect(served(queue)).toBe('a1 b1 c1 a2 b1 a1 a2 a1 a1')
    expect(queue.length).toBe(0)
  })

  it('puts who comes back behind those who wait', () => {
    const { queue } = queueOf(20, ['a1', 'b1', 'b1'])
    expect(queue.shift()).toBe('a1')
    queue.push(flow('a1'), 'a1')
    expect(served(queue)).toBe('b1 a1 b1')
  })

  it('lets the last of the longest line go when it is full, and nobody who has less', () => {
    const { queue, dropped } = queueOf(4, ['a1', 'a2', 'a1', 'a1', 'b1', 'c1', 'a1'])
    expect(dropped).toEqual(['a1', 'a1', 'a1'])
    expect(served(queue)).toBe('a1 b1 c1 a2')
  })

  it('refuses the newcomer when nobody has more than it', () => {
    const { dropped } = queueOf(2, ['a1', 'b1', 'c1', 'a2'])
    expect(dropped).toEqual(['c1', 'a2'])
  })

  it('skips heads that may not be taken', () => {
    const { queue } = queueOf(9, ['a1', 'a2', 'b1'])
    expect(queue.shift((name) => name !== 'a1')).toBe('a2')
    expect(queue.shift((name) => name === 'x')).toBe(undefined)
    expect(served(queue)).toBe('b1 a1')
  })

  it('forgets what is taken away', () => {
    const { queue } = queueOf(9, ['a1', 'b1'])
    expect([queue.remove(flow('a1'), 'a1'), queue.remove(flow('a1'), 'a1'), queue.length]).toEqual([true, false, 1])
    expect(served(queue)).toBe('b1')
  })
})
