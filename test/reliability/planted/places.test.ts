// A bug can be planted as long as its place is there: told at once, not by the long run that plants them all.
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ALL_BUGS } from './all-bugs.ts'

it.each(ALL_BUGS.map((bug) => [bug.name, bug] as const))('there is one place for the bug: %s', (_name, bug) => {
  const source = readFileSync(bug.file, 'utf8')
  for (const { find } of bug.also ? [bug, bug.also] : [bug]) {
    expect([find, source.split(find).length - 1]).toEqual([find, 1])
  }
  expect([bug.test[0], existsSync(bug.test[0])]).toEqual([bug.test[0], true])
})
