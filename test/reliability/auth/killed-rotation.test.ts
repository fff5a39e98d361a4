// A2: a key rotation that is killed leaves either the old keys or the new ones, and never an unreadable file.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { parseKeys, type StoredKey } from '../../../src/access/keys.ts'
import { COMPILED, temporaryFolder } from '../../support/process.ts'
import { randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'

const KILLS = triesOf({ long: 3, full: 200 })
const MOST_MS = 150

it('A2 leaves a complete key file when a rotation is killed', { timeout: 60_000 + KILLS * 5_000 }, () =>
  reliabilityTest('A2', 'killed rotations', async () => {
    const folder = temporaryFolder()
    const file = join(folder.path, 'keys.json')
    const random = randomNumbers(SEED)
    let rotations = 0
    let before: readonly StoredKey[] = []
    for (let round = 0; round < KILLS; round++) {
      // The first one comes after a rotation, however slow the machine is.
      await killWithin(file, random() * MOST_MS, round === 0 ? 'rotated' : 'begun')
      const keys = parseKeys(readFileSync(file, 'utf8'), file)
      // Either the same keys as before, or one more in front.
      const idOf = ({ kid }: StoredKey) => kid
      if (keys[0]?.kid !== before[0]?.kid) rotations++
      else expect(keys.map(idOf)).toEqual(before.map(idOf))
      expect(statSync(file).mode & 0o777).toBe(0o600)
      before = keys
    }
    expect(rotations).toBeGreaterThan(0)
    const left = readdirSync(folder.path).filter((name) => name !== 'keys.json')
    expect(left.filter((name) => !name.endsWith('.tmp'))).toEqual([])
    folder.remove()
    return `${KILLS} kills, ${rotations} of them with new keys, ${left.length} temporary files left`
  }),
)

/** Kills a rotating program this long after it has printed a word. */
async function killWithin(file: string, ms: number, word: 'begun' | 'rotated'): Promise<void> {
  const child = spawn(process.execPath, ['test/reliability/durability/crash/rotate-keys.ts', file], {
    env: { ...COMPILED, ...process.env },
  })
  let printed = ''
  while (!printed.includes(word)) printed += (await once(child.stdout, 'data')).join('')
  await sleep(ms)
  child.kill('SIGKILL')
  await once(child, 'close')
}
