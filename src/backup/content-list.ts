// The list of file contents in a backup: one line for each content that records refer to, by company and hash.
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { linesOf } from '../base/lines.ts'
import type { ReferencedContent } from '../databases/driver.ts'
import { contentPath } from '../files/content-path.ts'
import { readVerifiedFile } from './backup-files.ts'
import { type Manifest, stateFolder } from './manifest.ts'

export const LIST = 'files.ndjson'
const FLUSH_LINES = 1_000

interface ListWriter {
  readonly files: number
  readonly sizeBytes: number
  add(content: ReferencedContent): Promise<void>
  end(): Promise<void>
}

/** Writes a new list. */
export async function openListWriter(folder: string): Promise<ListWriter> {
  const handle = await open(join(folder, LIST), 'wx', 0o600)
  let pending: string[] = []
  const flush = async () => {
    await handle.writeFile(pending.join(''))
    pending = []
  }
  const writer = {
    files: 0,
    sizeBytes: 0,
    async add({ companyId, hash, size }: ReferencedContent) {
      writer.files++
      writer.sizeBytes += size
      pending.push(`${JSON.stringify({ company: companyId, hash, size })}\n`)
      if (pending.length >= FLUSH_LINES) await flush()
    },
    async end() {
      await flush().finally(() => handle.close())
    },
  }
  return writer
}

/** The list of a backup. Throws a BackupFault at its end when it is damaged, or a SyntaxError at an invalid line. */
export async function* readList(
  target: string,
  manifest: Pick<Manifest, 'folder'> & { contents: Pick<Manifest['contents'], 'list'> },
): AsyncGenerator<ReferencedContent, void, void> {
  const { list } = manifest.contents
  for await (const line of linesOf(readVerifiedFile(join(stateFolder(target, manifest), LIST), list, LIST))) {
    const { company, hash, size } = JSON.parse(line) as { company: string; hash: string; size: number }
    yield { companyId: company, hash, size }
  }
}

/** The path of a content in a backup. */
export function contentFile(target: string, content: ReferencedContent): string {
  return join(contentFolder(target), contentPath(content))
}

export function contentFolder(target: string): string {
  return join(target, 'files')
}
