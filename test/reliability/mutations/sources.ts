// The sources that mutations break, in which a piece is found by its text.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** File -> text, without the tests. */
export type Sources = ReadonlyMap<string, string>

export function readSources(root: string): Sources {
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

/** The file in which the piece stands. It stands nowhere else, and only once there. */
export function fileWith(piece: string, sources: Sources): string {
  const places = [...sources].flatMap(([file, source]) => new Array<string>(source.split(piece).length - 1).fill(file))
  const [file] = places
  if (file !== undefined && places.length === 1) return file
  throw new Error(`${JSON.stringify(piece)} stands ${places.length} times in src, not once: ${places.join(', ')}`)
}
