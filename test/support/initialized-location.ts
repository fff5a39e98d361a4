// Locations with a setup in force: the program initializes the first, and later ones are copies, which take
// milliseconds.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { copyOf, type DataLocation, emptyLocation } from './data-location.ts'
import { run, temporaryFolder } from './process.ts'
import type { StoreKind } from './world.ts'

/**
 * For the tests of a file or group: returns a function that creates locations with this setup, each in its own folder.
 */
export function locationsWith(kind: StoreKind, setup: string): (data: string) => Promise<DataLocation> {
  const folder = temporaryFolder()
  let source: DataLocation | undefined
  afterAll(() => folder.remove())

  const setUp = async (): Promise<DataLocation> => {
    const place = await emptyLocation(kind, join(folder.path, 'data'))
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
