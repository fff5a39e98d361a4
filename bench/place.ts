// Folders of the benchmark. The system's temporary folder may be in memory, where a commit costs nothing: it is not used.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export const DATA = new URL('../data/', import.meta.url).pathname
/** Data that is cached between runs. */
export const SEEDS = join(DATA, 'bench')
export const SETUP = new URL('company.yaml', import.meta.url).pathname
export const SERVICE = new URL('../bin/tabularium.js', import.meta.url).pathname

/** Creates a folder that is removed when this process exits. */
export function runFolder(): string {
  mkdirSync(DATA, { recursive: true })
  const folder = mkdtempSync(join(DATA, 'bench-run-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  return folder
}
