import { describe, expect, it } from 'vitest'
import { numberOf, oldestBeside, requireCompatible } from './compatibility.ts'
import { MIGRATION_NAMES } from './migrate.ts'

const KNOWN = ['0101-records', '0102-documents', '0103-journal']

describe('a schema of a newer version', () => {
  it.each([[['0104-more.since-0103']], [['0104-more.since-0101', '0105-yet.since-0103']]])(
    'is for a program that knows what %j want',
    (newer) => {
      expect(() => requireCompatible(newer, KNOWN)).not.toThrow()
    },
  )

  it.each([
    [['0104-more'], '0104-more'],
    [['0104-more.since-0103', '0105-less.since-0104'], '0105-less.since-0104'],
    [['0104-more', '0105-yet.since-0101', '0106-less.since-0105'], '0104-more, 0106-less.since-0105'],
    [['0104-more.since-03'], '0104-more.since-03'],
    [['later'], 'later'],
  ])('is not for a program that does not know what %j want', (newer, refusing) => {
    expect(() => requireCompatible(newer, KNOWN)).toThrow(
      `the database was changed by a newer version of Tabularium (${refusing}): run that version, or restore a backup`,
    )
  })

  it('of before the first release is for none', () => {
    expect(() => requireCompatible(['0034-words-version.since-0024'], KNOWN)).toThrow('before 1.0: export its records')
  })

  it('is not for a program with migrations that it lacks', () => {
    expect(() => requireCompatible(['0104-more.since-0101'], [])).toThrow('newer version')
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
