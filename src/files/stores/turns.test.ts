import { describe, expect, it } from 'vitest'
import { Turns } from './turns.ts'

/** Work that ends when it is told to, and notes its beginning and its end. */
function works(log: string[]) {
  const ends = new Map<string, (fault?: Error) => void>()
  const work = (name: string) => (): Promise<string> => {
    log.push(`${name} begins`)
    return new Promise((resolve, reject) => {
      ends.set(name, (fault) => {
        log.push(`${name} ends`)
        if (fault) reject(fault)
        else resolve(name)
      })
    })
  }
  const end = async (name: string, fault?: Error): Promise<void> => {
    ends.get(name)?.(fault)
    await settled()
  }
  return { work, end }
}

/** Everything that can go on has gone on. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

describe('turns', () => {
  it('do work on one thing in order, also after a failure, and on others at once', async () => {
    const log: string[] = []
    const { work, end } = works(log)
    const turns = new Turns()
    const first = turns.take('x', work('first'))
    const second = turns.take('x', work('second'))
    const third = turns.take('x', work('third'))
    const other = turns.take('y', work('other'))
    await settled()
    expect(log).toEqual(['first begins', 'other begins'])
    first.catch(() => {})
    await end('first', new Error('failed'))
    await expect(first).rejects.toThrow('failed')
    expect(log).toEqual(['first begins', 'other begins', 'first ends', 'second begins'])
    await end('other')
    await end('second')
    await end('third')
    expect(await Promise.all([second, third, other])).toEqual(['second', 'third', 'other'])
  })
})
