import { describe, expect, it } from 'vitest'
import { BufferPool } from './buffer-pool.ts'

describe('a pool of buffers', () => {
  it('gives a buffer to one at a time, and again once it was given back', () => {
    const pool = new BufferPool(100, 2)
    const [one, other] = [pool.take(100), pool.take(100)]
    expect(one).not.toBe(other)
    pool.give(one)
    expect(pool.take(100)).toBe(one)
    expect(pool.take(100)).not.toBe(other)
  })

  it('gives no more than its size, and no less than what is needed up to it', () => {
    const pool = new BufferPool(100, 2)
    expect([pool.take(1_000).length, pool.take(100).length, pool.take(7).length]).toEqual([100, 100, 7])
  })

  it('keeps neither small ones nor more than it should', () => {
    const pool = new BufferPool(100, 2)
    const returned = [pool.take(7), pool.take(100), pool.take(100), pool.take(100)]
    for (const buffer of returned) pool.give(buffer)
    const taken = [pool.take(100), pool.take(100), pool.take(100)]
    expect(taken.filter((buffer) => returned.includes(buffer))).toEqual([returned[2], returned[1]])
  })
})
