import { describe, expect, it } from 'vitest'
import { numberOf, oldestBeside, requireCompatible } from './compatibility.ts'
import { MIGRATION_NAMES } from './migrate.ts'

const KNOWN = ['0001-records', '0002-documents', '0003-archive']

describe('a schema of a newer version', () => {
  it.each([[['0004-more.since-0003']], [['0004-more.since-0001', '0005-yet.since-0003']]])(
    'is for a program that knows what %j want',
    (newer) => {
      expect(() => requireCompatible(newer, KNOWN)).not.toThrow()
    },
  )

  it.each([
    [['0004-more'], '0004-more'],
    [['0004-more.since-0003', '0005-less.since-0004'], '0005-less.since-0004'],
    [['0004-more', '0005-yet.since-0001', '0006-less.since-0005'], '0004-more, 0006-less.since-0005'],
    [['0004-more.since-03'], '0004-more.since-03'],
    [['later'], 'later'],
  ])('is not for a program that does not know what %j want', (newer, refusing) => {
    expect(() => requireCompatible(newer, KNOWN)).toThrow(
      `the database was changed by a newer version of Tabularium (${refusing}): run that version, or restore a backup`,
    )
  })

  it('is not for a program with migrations that it lacks', () => {
    expect(() => requireCompatible(['0004-more.since-0001'], [])).toThrow('newer version')
  })
})

describe('the migrations of this version', () => {
  it('have numbers of their own, in their order', () => {
    const numbers = MIGRATION_NAMES.map(numberOf)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  })

  it('name only programs from before them', () => {
    for (const name of MIGRATION_NAMES.filter((one) => one.includes('.'))) {
      expect(oldestBeside(name), name).toBeLessThan(numberOf(name))
    }
  })
})
