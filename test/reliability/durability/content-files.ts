// Direct access to the folder of a file store, bypassing the store.
import { globSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentPath } from '../../../src/files/content-path.ts'
import { sha256 } from './document-client.ts'

const DAY_MS = 24 * 60 * 60_000

export interface ContentFile {
  readonly path: string
  /** The SHA-256 in the file's name. */
  readonly hash: string
}

/** The path of a content of the company EN. */
export function pathOf(root: string, hash: string, companyId = 'EN'): string {
  return join(root, contentPath({ companyId, hash }))
}

/** All files that are named as contents. */
export function contentsIn(root: string): ContentFile[] {
  return globSync('company-*/**', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name))
    .map(({ parentPath, name }) => ({ path: join(parentPath, name), hash: name }))
}

/** Files whose content does not match their name, modified since then. */
export function tornFiles(root: string, sinceMs = 0): string[] {
  return contentsIn(root)
    .filter(({ path }) => statSync(path).mtimeMs >= sinceMs)
    .filter(({ path, hash }) => sha256(readFileSync(path)) !== hash)
    .map(({ path }) => path)
}

/** Files that are staged or left over where contents are received. */
export function staged(root: string): string[] {
  return readdirSync(join(root, 'staging'))
}

/** Sets a content's age to slightly more than a day, or to this many hours. */
export function age(path: string, hours = 24.1): void {
  const time = new Date(Date.now() - (hours / 24) * DAY_MS)
  utimesSync(path, time, time)
}

/** Flips one bit of a file. */
export function flipBit(path: string, bit: number): void {
  const content = readFileSync(path)
  content[bit >> 3]! ^= 1 << (bit & 7)
  writeFileSync(path, content)
}
