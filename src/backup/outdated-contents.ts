// Contents that an earlier backup in the folder had and the current one has not: records were purged or erased since.
import { createReadStream, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { linesOf } from '../base/lines.ts'
import { compareCodePoints } from '../base/text.ts'
import type { ReferencedContent } from '../store/dialects/driver.ts'
import { contentFile, LIST, readList } from './content-list.ts'
import { type Manifest, stateFolder } from './manifest.ts'

/** Deletes the contents that the list in an older state folder names and the manifest's does not. Both are sorted. */
export async function removeOutdatedContents(target: string, folder: string, manifest: Manifest): Promise<void> {
  const kept = readList(target, manifest)
  let next = await kept.next()
  for await (const content of listIn(join(stateFolder(target, { folder }), LIST))) {
    while (!next.done && compare(next.value, content) < 0) next = await kept.next()
    if (next.done || compare(next.value, content) > 0) await rm(contentFile(target, content), { force: true })
  }
  await kept.return()
}

/** A killed backup may have left an incomplete list. */
async function* listIn(file: string): AsyncGenerator<ReferencedContent, void, void> {
  if (!existsSync(file)) return
  for await (const line of linesOf(createReadStream(file))) {
    const content = contentIn(line)
    if (!content) return
    yield content
  }
}

const HASH = /^[0-9a-f]{64}$/

function contentIn(line: string): ReferencedContent | undefined {
  try {
    const { company, hash, size } = JSON.parse(line)
    return HASH.test(hash) ? { companyId: String(company), hash, size: Number(size) } : undefined
  } catch {
    return undefined
  }
}

function compare(one: ReferencedContent, other: ReferencedContent): number {
  return compareCodePoints(one.companyId, other.companyId) || compareCodePoints(one.hash, other.hash)
}
