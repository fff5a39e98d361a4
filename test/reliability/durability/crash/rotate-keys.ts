// A program that rotates the keys of a file repeatedly, with a day from one rotation to the next: `rotate-keys.ts
// FILE`.
import { KeyRing } from '../../../../src/access/keys.ts'

const DAY_MS = 86_400_000

let now = Date.now()
const keys = await KeyRing.managed(process.argv[2] ?? '', () => new Date(now))
process.stdout.write('begun\n')
for (let rotations = 1; ; rotations++) {
  now += DAY_MS
  await keys.rotate()
  if (rotations === 1) process.stdout.write('rotated\n')
}
