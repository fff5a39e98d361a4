// A cache between runs. The name of an entry changes with the source that makes it; older entries are removed.
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SEEDS } from '../place.ts'

/** Returns the cached entry. A new one is made in another folder first, so that a partial entry is never used. */
export async function kept(name: string, key: string, make: (path: string) => void | Promise<void>): Promise<string> {
  const path = join(SEEDS, `${name}-${key}`)
  if (existsSync(path)) return path
  process.stderr.write(`making ${path}; this is done once\n`)
  mkdirSync(SEEDS, { recursive: true })
  for (const old of readdirSync(SEEDS)) {
    if (old.startsWith(`${name}-`)) rmSync(join(SEEDS, old), { recursive: true })
  }
  const unfinished = `${path}.unfinished`
  await make(unfinished)
  renameSync(unfinished, path)
  return path
}

/** A hash of a text and of the source files that match the patterns below `bench`. */
export function keyOf(text: string, patterns: readonly string[]): string {
  const hash = createHash('sha256').update(text)
  const bench = new URL('../', import.meta.url).pathname
  for (const file of patterns.flatMap((pattern) => globSync(join(bench, pattern)).sort()))
    hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}
