// The demo needs a separate data folder: its clients have published secrets, which must not give access to other
// companies.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { badUsage } from '../cli/terminal/bad-usage.ts'

const MARKER_FILE = 'demo.json'
/** Files that a service creates in its data folder. */
const SERVICE_FILES = ['tabularium.db', 'keys.json', 'integrity.json']

/** Marks the folder as the demo's. Throws a usage error when it belongs to another service. */
export function claimFolder(data: string): void {
  if (isDemoFolder(data)) return
  if (SERVICE_FILES.some((name) => existsSync(join(data, name)))) {
    throw badUsage(`option '--data': ${data} holds records of your own, and the demo keeps to a folder of its own`)
  }
  mkdirSync(data, { recursive: true, mode: 0o700 })
  writeFileSync(join(data, MARKER_FILE), '{"demo":true}\n')
}

/** Throws a usage error when a setup would be applied to the folder of the demo. */
export function requireNoDemo(data: string): void {
  if (!isDemoFolder(data)) return
  throw badUsage(`option '--data': ${data} is the demo's, whose clients have published secrets: name another folder`)
}

function isDemoFolder(data: string): boolean {
  return existsSync(join(data, MARKER_FILE))
}
