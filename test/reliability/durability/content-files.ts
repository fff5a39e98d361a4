// The folder of a file store, seen past the store itself.
import { globSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentPath } from '../../../src/files/stores/content-path.ts'
import { sha256 } from './document-client.ts'

const DAY_MS = 24 * 60 * 60_000

export interface ContentFile {
  readonly path: string
  /** By its name. */
  readonly hash: string
}

/** Where a content of the company EN stands. */
export function pathOf(root: string, hash: string, companyId = 'EN'): string {
  return join(root, contentPath({ companyId, hash }))
}

/** Everything under the name of a content. */
export function contentsIn(root: string): ContentFile[] {
  return globSync('company-*/**', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name))
    .map(({ parentPath, name }) => ({ path: join(parentPath, name), hash: name }))
}

/** Files under the name of a content that are not it; of those alone that were kept since then. */
export function tornFiles(root: string, sinceMs = 0): string[] {
  return contentsIn(root)
    .filter(({ path }) => statSync(path).mtimeMs >= sinceMs)
    .filter(({ path, hash }) => sha256(readFileSync(path)) !== hash)
    .map(({ path }) => path)
}

/** What waits or was left where contents are received. */
export function staged(root: string): string[] {
  return readdirSync(join(root, 'staging'))
}

/** Makes a content a little older than a day, or as many hours as are told. */
export function age(path: string, hours = 24.1): void {
  const time = new Date(Date.now() - (hours / 24) * DAY_MS)
  utimesSync(path, time, time)
}

/** Changes one bit of a file, counted from its beginning, and nothing else of it. */
export function flipBit(path: string, bit: number): void {
  const content = readFileSync(path)
  content[bit >> 3]! ^= 1 << (bit & 7)
  writeFileSync(path, content)
}
