// Whether a holder of leases has ended is known of this machine alone.
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { hasEnded, newHolder } from './lease-table.ts'

const [place, pid, id] = JSON.parse(newHolder())
/** The id of a process that has ended. */
const endedPid = spawnSync(process.execPath, ['--version']).pid

it.each([
  ['has not ended: this process', false, [place, pid, id]],
  ['has ended: a process of this machine', true, [place, endedPid, id]],
  ['may go on: a process of another machine', false, ['elsewhere', endedPid, id]],
])('a holder %s', (_which, isEnded, holder) => {
  expect(hasEnded(JSON.stringify(holder))).toBe(place !== '' && isEnded)
})

it('is not known to have ended by the name that versions before gave it', () => {
  expect(hasEnded('0b1c2d3e-0000-4000-8000-000000000000')).toBe(false)
  expect(hasEnded('')).toBe(false)
})
