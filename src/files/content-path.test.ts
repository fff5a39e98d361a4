import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentPath, parseContentPath, renditionPath } from './content-path.ts'

const HASH = `abcd${'0'.repeat(60)}`
const BELOW = `/ab/cd/${HASH}`

describe('the path of a content', () => {
  it.each([
    ['en', 'company-en'],
    ['EN', 'company-_e_n'],
    ['En-1', 'company-_en-1'],
    ['..', 'company-.2e.2e'],
    ['a/B', 'company-a.2f_b'],
    ['a_b', 'company-a.5fb'],
    ['con', 'company-con'],
    ['\u00e9', 'company-.c3.a9'],
    ['x'.repeat(192), `company-${'x'.repeat(192)}`],
    ['x'.repeat(193), `company-${'x'.repeat(192)}~/x`],
  ])('of the company %j is in %s', (companyId, folder) => {
    expect(contentPath({ companyId, hash: HASH })).toBe(folder + BELOW)
    expect(parseContentPath(folder + BELOW)).toEqual({ companyId, hash: HASH })
  })

  it('is one of its own for every company, in whatever letter case, and made of harmless names', () => {
    const id = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }).filter((text) => text.isWellFormed())
    fc.assert(
      fc.property(id, id, (one, other) => {
        const [first, second] = [one, other].map((companyId) => contentPath({ companyId, hash: HASH }))
        expect(first === second).toBe(one === other)
        expect(first).toMatch(/^company-[a-z0-9._-]+(~\/[a-z0-9._-]+)*~?\/ab\/cd\/[0-9a-f]{64}$/)
        expect(Math.max(...first!.split('/').map((part) => part.length))).toBeLessThan(255)
        expect(parseContentPath(first!)).toEqual({ companyId: one, hash: HASH })
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    `company-${BELOW}`,
    `company-EN${BELOW}`,
    `company-.45${BELOW}`,
    `company-.zz${BELOW}`,
    `company-.c3${BELOW}`,
    `company-_${BELOW}`,
    `company-__e${BELOW}`,
    `company-a~/b${BELOW}`,
    `company-a/b${BELOW}`,
    `other-en${BELOW}`,
    `company-en/ab/ce/${HASH}`,
    `company-en${BELOW}.1x1.png`,
    `company-en${BELOW}0`,
    `company-en${BELOW.slice(0, -1)}`,
    `x/company-en${BELOW}`,
    'staging',
    '',
  ])('%s is none', (path) => {
    expect(parseContentPath(path)).toBeUndefined()
  })

  it('of what is derived is beside it, and none of a content', () => {
    const path = renditionPath(`company-en${BELOW}`, '120x80.png')
    expect(path).toBe(`company-en${BELOW}.120x80.png`)
    expect(parseContentPath(path)).toBeUndefined()
  })
})
