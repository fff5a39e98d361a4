import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runConfined } from './confined.ts'

const MIB = 1024 * 1024

describe('confined work', () => {
  test('cannot have a byte array of more than 8 MiB, and the program can again afterwards', async () => {
    const { Uint8Array: bytes, DecompressionStream: decompression } = globalThis
    await runConfined(async () => {
      expect(() => new Uint8Array(8 * MIB + 1)).toThrow(RangeError)
      expect(new Uint8Array(8 * MIB)).toBeInstanceOf(bytes)
      expect(new Uint8Array([1, 2]).subarray(1)).toEqual(Uint8Array.of(2))
      expect(new Uint8Array(Buffer.alloc(9 * MIB))).toHaveLength(9 * MIB)
    })
    expect(globalThis.Uint8Array).toBe(bytes)
    expect(globalThis.DecompressionStream).toBe(decompression)
  })

  test('may be done twice at once, and may fail', async () => {
    const { Uint8Array: bytes } = globalThis
    const failing = runConfined(() => Promise.reject(new Error('no')))
    await Promise.all([runConfined(async () => {}), expect(failing).rejects.toThrow('no'), runConfined(async () => {})])
    expect(globalThis.Uint8Array).toBe(bytes)
  })
})

describe('a forgotten promise', () => {
  const listeners = process.listeners('unhandledRejection')
  const told: unknown[] = []
  const listen = (reason: unknown) => told.push(reason)

  beforeEach(() => {
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', listen)
  })
  afterEach(() => {
    expect(process.listeners('unhandledRejection')).toEqual([listen])
    process.removeAllListeners('unhandledRejection')
    for (const listener of listeners) process.on('unhandledRejection', listener)
  })

  test('of pdf.js harms nobody, and one of others is told', async () => {
    const ours = new Error('ours')
    const theirs = Object.assign(new Error('theirs'), {
      stack: 'at x (node_modules/pdfjs-dist/legacy/build/pdf.mjs:1:1)',
    })
    await runConfined(async () => {
      void Promise.reject(ours)
      void Promise.reject(theirs)
    })
    expect(told).toEqual([ours])
  })
})
