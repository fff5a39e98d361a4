import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Faults, faultyFront } from './faulty-front.ts'

const NONE: Omit<Faults, 'random'> = { shares: {}, slowMs: 2000, isShifting: false }

/** The address that the pipeline gets, and whether it has been begun. */
function through(faults: Partial<Faults>, url: string, random = () => 0): { url: string; isBegun: () => boolean } {
  const request = { url, method: 'GET', headers: {} } as IncomingMessage
  let isBegun = false
  faultyFront({ ...NONE, ...faults, random }, '/api')(request, {} as ServerResponse, () => {
    isBegun = true
  })
  return { url: request.url!, isBegun: () => isBegun }
}

describe('slow answers', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('begin after their time', () => {
    const { isBegun } = through({ shares: { slow: 1 } }, '/api/v1/customers/1')
    vi.advanceTimersByTime(1999)
    expect(isBegun()).toBe(false)
    vi.advanceTimersByTime(1)
    expect(isBegun()).toBe(true)
  })

  it.each(['/api/health/live', '/api/oauth/token', '/api/docs/v1/', '/v1/customers/1', '/api'])(
    'are not those of %s',
    (url) => expect(through({ shares: { slow: 1 } }, url).isBegun()).toBe(true),
  )

  it('are as many as their share says', () => {
    for (const [number, isSlow] of [
      [0, true],
      [0.24, true],
      [0.25, false],
      [0.99, false],
    ] as const) {
      expect(through({ shares: { slow: 0.25 } }, '/api/v1/x', () => number).isBegun()).toBe(!isSlow)
    }
  })
})

describe('pages that shift', () => {
  it.each([
    ['/api/v1/objects/customers?$offset=10&$limit=5', '/api/v1/objects/customers?$offset=9&$limit=5'],
    ['/api/v1/objects/customers?a=1&%24SKIP=10', '/api/v1/objects/customers?a=1&%24SKIP=9'],
    ['/api/v1/documents?start=10', '/api/v1/documents?start=9'],
    ['/api/v1/objects/customers?offset=0', '/api/v1/objects/customers?offset=0'],
    ['/api/v1/objects/customers?offset=-1', '/api/v1/objects/customers?offset=-1'],
    ['/api/v1/objects/customers?offset=ten', '/api/v1/objects/customers?offset=ten'],
    ['/api/v1/objects/customers?xoffset=10', '/api/v1/objects/customers?xoffset=10'],
  ])('%s', (asked, begun) => {
    expect(through({ isShifting: true }, asked).url).toBe(begun)
    expect(through({}, asked).url).toBe(asked)
  })

  it('shift in both directions', () => {
    expect(through({ isShifting: true }, '/api/v1/x?offset=10', () => 0.5).url).toBe('/api/v1/x?offset=11')
  })
})
