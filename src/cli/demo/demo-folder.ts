// The demo keeps to a folder of its own: its clients have published secrets, which no other company must get.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { badUsage } from '../bad-usage.ts'

const MARK = 'demo.json'
/** What a service has made in a folder that is not the demo's. */
const OTHERS = ['tabularium.db', 'keys.json']

/** Marks the folder as the demo's. Throws (bad usage) when a company of somebody's own is in it. */
export function claimFolder(data: string): void {
  if (isDemoFolder(data)) return
  if (OTHERS.some((name) => existsSync(join(data, name)))) {
    throw badUsage(`option '--data': ${data} holds records of your own, and the demo keeps to a folder of its own`)
  }
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, MARK), '{"demo":true}\n')
}

/** Throws (bad usage) when a setup of somebody's own would come beside the demo. */
export function requireNoDemo(data: string): void {
  if (!isDemoFolder(data)) return
  throw badUsage(`option '--data': ${data} is the demo's, whose clients have published secrets: name another folder`)
}

function isDemoFolder(data: string): boolean {
  return existsSync(join(data, MARK))
}
