// The bytes of a content as they are: all of them, or a range.
import { peekFirst } from '../../../base/byte-stream.ts'
import type { ByteRange } from '../../../files/file-store.ts'
import { DamagedFile } from '../../../files/verified.ts'
import type { DocumentService } from '../document-service.ts'
import { acquireMemory, type Chunks, type ContentReader, openContent } from './content-stream.ts'

export interface RawFile {
  readonly file_name: string
  readonly mime_type: string
  readonly doc_size: number
  readonly file_hash: string
}

/** Opens the content, or a range of it, which cannot be verified by the hash. */
export async function openRaw(
  service: DocumentService,
  reader: ContentReader,
  companyId: string,
  { file_hash: hash, doc_size: size }: RawFile,
  range?: ByteRange,
): Promise<Chunks> {
  if (!range) return openContent(service, reader, companyId, { hash, size })
  await acquireMemory(service, reader)
  const source = await service.files.read(companyId, hash, range)
  reader.onClosed(() => void source.destroy())
  const { first, last } = range
  const damaged = new DamagedFile(`the file ${hash} of company ${companyId} has no bytes ${first} to ${last}`)
  return peekFirst(exactChunks(source, last - first + 1, damaged))
}

/** Never yields more bytes than announced: the client would read them as the start of the next response. */
async function* exactChunks(source: AsyncIterable<Uint8Array>, length: number, fault: Error): Chunks {
  let read = 0
  for await (const chunk of source) {
    read += chunk.length
    if (read > length) break
    yield chunk
  }
  if (read !== length) throw fault
}
