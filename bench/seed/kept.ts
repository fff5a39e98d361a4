// What is made once and kept between runs, under a name that changes when what it is made by does. Older ones go away.
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SEEDS } from '../place.ts'

/** Finds it, or has it made in another place first, so that half of it is never taken for the whole. */
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

/** Stands for a text and the content of source files, given by patterns below `bench`. */
export function keyOf(text: string, patterns: readonly string[]): string {
  const hash = createHash('sha256').update(text)
  const bench = new URL('../', import.meta.url).pathname
  for (const file of patterns.flatMap((pattern) => globSync(join(bench, pattern)).sort()))
    hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}
