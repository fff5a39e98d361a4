// Places with a setup in force: the program sets one up, and who asks again has a copy of it, which takes milliseconds.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type BackupPlace, copyOf, emptyPlace } from './backup-place.ts'
import { run, temporaryFolder } from './process.ts'
import type { StoreKind } from './world.ts'

/** For the tests of a file, or of one of its groups: gives places with this setup, each in a folder of its own. */
export function placesWith(kind: StoreKind, setup: string): (data: string) => Promise<BackupPlace> {
  const folder = temporaryFolder()
  let source: BackupPlace | undefined
  afterAll(() => folder.remove())

  const setUp = async (): Promise<BackupPlace> => {
    const place = await emptyPlace(kind, join(folder.path, 'data'))
    const file = join(folder.path, 'company.yaml')
    writeFileSync(file, setup)
    const { code, stderr } = await run(['setup', file, ...place.flags])
    if (code !== 0) throw new Error(stderr)
    return place
  }
  return async (data) => {
    source ??= await setUp()
    return copyOf(source, data)
  }
}
