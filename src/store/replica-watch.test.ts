import { expect, it } from 'vitest'
import type { Observation } from '../observe/observation.ts'
import { ReplicaWatch } from './replica-watch.ts'

/** A primary that writes 10 bytes a second, and a replica that has replayed so many. */
function watched() {
  const state = { seconds: 0, replayed: 0, fails: false }
  const told: Observation[] = []
  const replica = {
    placeOfPrimary: async () => 10 * state.seconds,
    placeOfReplica: async () => {
      if (state.fails) throw new Error('it is not there')
      return state.replayed
    },
  }
  const watch = new ReplicaWatch(
    replica,
    (observation) => told.push(observation),
    () => 1000 * state.seconds,
  )
  const lookAt = async (seconds: number, replayed: number) => {
    Object.assign(state, { seconds, replayed })
    await watch.look()
    return watch.isUsable
  }
  return { watch, state, told, lookAt }
}

it('uses a replica that has all, and one that is behind by up to ten seconds', async () => {
  const { watch, told, lookAt } = watched()
  expect(await lookAt(100, 1000)).toBe(true)
  expect(watch.behindMs).toBe(0)
  expect(await lookAt(109, 1000)).toBe(true)
  expect(watch.behindMs).toBe(9_000)
  expect(await lookAt(111, 1000)).toBe(false)
  expect(await lookAt(112, 1090)).toBe(true)
  expect(watch.behindMs).toBe(3_000)
  expect(told).toEqual([{ kind: 'replica-left', reason: 'it is too far behind' }, { kind: 'replica-used' }])
})

it('does not use a replica that was never seen with all that was written before', async () => {
  const { lookAt } = watched()
  expect(await lookAt(100, 10)).toBe(false)
  expect(await lookAt(101, 999)).toBe(false)
  expect(await lookAt(102, 1000)).toBe(true)
})

it('tells once that a replica does not answer, and uses it again when it does', async () => {
  const { watch, state, told, lookAt } = watched()
  await lookAt(1, 10)
  state.fails = true
  for (const seconds of [2, 3, 4]) expect(await lookAt(seconds, 10)).toBe(false)
  state.fails = false
  expect(await lookAt(5, 50)).toBe(true)
  expect(told).toEqual([{ kind: 'replica-left', reason: 'it is not there' }, { kind: 'replica-used' }])
  watch.doubt()
  expect(watch.isUsable).toBe(false)
  expect(await lookAt(6, 60)).toBe(true)
})

it('knows how far behind a replica is that has not followed for days', async () => {
  const { watch, lookAt } = watched()
  await lookAt(0, 0)
  for (let seconds = 1; seconds <= 3 * 86_400; seconds += 60) await lookAt(seconds, 0)
  expect(await lookAt(300_000, 2_900_000)).toBe(false)
  expect(watch.behindMs).toBeGreaterThanOrEqual(10_000)
  await lookAt(300_001, 2_999_000)
  expect(watch.isUsable).toBe(false)
  expect(await lookAt(300_002, 3_000_020)).toBe(true)
})
