import { describe, expect, it } from 'vitest'
import { KeyedMutex } from './keyed-mutex.ts'

/** Work that logs its start and its end, and ends on demand. */
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

/** Resolves when all pending promise callbacks have run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

describe('turns', () => {
  it('do work on one thing in order, also after a failure, and on others at once', async () => {
    const log: string[] = []
    const { work, end } = works(log)
    const mutex = new KeyedMutex()
    const first = mutex.run('x', work('first'))
    const second = mutex.run('x', work('second'))
    const third = mutex.run('x', work('third'))
    const other = mutex.run('y', work('other'))
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
