// Thumbnails of contents: made once for each size, kept beside the content, and made for one caller when several ask.

import { Readable } from 'node:stream'
import type { Flow } from '../../../base/concurrency/fair-queue.ts'
import { getOrInsert } from '../../../base/memo.ts'
import type { QueryPairs } from '../../../base/text.ts'
import { malformed } from '../../../errors/catalogue.ts'
import { readTogether } from '../../../errors/read-together.ts'
import { type FileStore, MAX_RENDITIONS } from '../../../files/file-store.ts'
import { pngSize, type Size } from '../../../files/processes/size.ts'
import { readParameters } from '../../../query/parse/parameters.ts'
import type { DocumentService } from '../document-service.ts'

const DEFAULT_PIXELS = 96
const MAX_PIXELS = 2_048

/** Throws 400 for a size outside 1 to 2048 (decision 4). */
export function thumbnailSizeOf(query: QueryPairs): Size {
  const given = readParameters(query, ['companyid', 'width', 'height'])
  return readTogether({
    width: () => pixelsOf('width', given.get('width')),
    height: () => pixelsOf('height', given.get('height')),
  })
}

function pixelsOf(name: string, text: string | undefined): number {
  if (text === undefined) return DEFAULT_PIXELS
  const pixels = /^\d{1,9}$/.test(text.trim()) ? Number(text) : 0
  if (pixels >= 1 && pixels <= MAX_PIXELS) return pixels
  throw malformed(`The value of ${name} must be an integer from 1 to ${MAX_PIXELS}.`)
}

/** The file of a requested thumbnail. */
interface ThumbnailFile {
  readonly mime_type: string
  readonly doc_size: number
  readonly file_hash: string
}

interface RenderedThumbnail extends Size {
  readonly png: Uint8Array
}

const inProgress = new Map<string, Promise<RenderedThumbnail>>()

/** The image or document that is rendered. */
interface Source {
  readonly mimeType: string
  readonly sizeBytes: number
  read(): Promise<Readable>
}

/** Identifies one size of one content. */
interface ThumbnailKey extends Size {
  readonly companyId: string
  readonly hash: string
  /** Prefix of the names of its stored thumbnails. */
  readonly kind: string
}

export function readThumbnail(
  service: DocumentService,
  flow: Flow,
  companyId: string,
  file: ThumbnailFile,
  size: Size,
): Promise<RenderedThumbnail> {
  const key = JSON.stringify([companyId, file.file_hash, file.mime_type, size.width, size.height])
  return getOrInsert(inProgress, key, () =>
    render(service, flow, companyId, file, size).finally(() => inProgress.delete(key)),
  )
}

async function render(
  { files, thumbnails, observe }: DocumentService,
  flow: Flow,
  companyId: string,
  { mime_type: mimeType, doc_size: sizeBytes, file_hash: hash }: ThumbnailFile,
  size: Size,
): Promise<RenderedThumbnail> {
  const isStorable = thumbnails.rendersContent(mimeType)
  const key: ThumbnailKey = { companyId, hash, kind: `${mimeType.replace(/\W/g, '-')}.`, ...size }
  const stored = isStorable ? await files.findRendition(companyId, hash, renditionName(key)) : undefined
  if (stored) {
    observe({ kind: 'thumbnail-answered', how: 'kept' })
    return { png: stored, ...pngSize(stored) }
  }
  const original: Source = { mimeType, sizeBytes, read: () => files.read(companyId, hash) }
  const nearest = isStorable ? await nearestStored(files, key) : undefined
  const { png, width, height, isLasting } = await thumbnails.make({ flow, ...(nearest ?? original) }, size)
  observe({ kind: 'thumbnail-answered', how: !isLasting ? 'given-up' : isStorable ? 'made' : 'icon' })
  if (isStorable && isLasting && !nearest) await files.putRendition(companyId, hash, renditionName(key), png)
  return { png, width, height }
}

/**
 * Callers may request any size, and opening a content may take long: once the maximum number of sizes is stored,
 * further sizes are rendered from the nearest stored one.
 */
async function nearestStored(files: FileStore, key: ThumbnailKey): Promise<Source | undefined> {
  const { companyId, hash, kind, width, height } = key
  const names = await files.listRenditions(companyId, hash)
  if (names.length < MAX_RENDITIONS) return undefined
  const sizes = names.filter((name) => name.startsWith(kind)).map((name) => sizeIn(name.slice(kind.length)))
  const areaOf = (size: Size) => size.width * size.height
  const larger = sizes.filter((size) => size.width >= width && size.height >= height)
  const smallestLarger = larger.sort((one, other) => areaOf(one) - areaOf(other))[0]
  const nearest = smallestLarger ?? sizes.sort((one, other) => areaOf(other) - areaOf(one))[0]
  const png = nearest && (await files.findRendition(companyId, hash, renditionName({ ...key, ...nearest })))
  return png && { mimeType: 'image/png', sizeBytes: png.length, read: async () => Readable.from([png]) }
}

function renditionName({ kind, width, height }: Pick<ThumbnailKey, 'kind' | 'width' | 'height'>): string {
  return `${kind}${width}x${height}.png`
}

function sizeIn(name: string): Size {
  const [width, height] = name.split(/[x.]/).map(Number)
  return { width: width ?? 0, height: height ?? 0 }
}
