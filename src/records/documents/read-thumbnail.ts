// Thumbnails of contents: made once for each size, kept beside the content, and made for one caller when several ask.
import { Readable } from 'node:stream'
import type { Flow } from '../../base/fair-queue.ts'
import { malformed } from '../../errors/catalogue.ts'
import { type FileStore, MOST_DERIVED } from '../../files/file-store.ts'
import type { Call } from '../../http/edge.ts'
import type { DocumentService } from './document-service.ts'
import { readParameters } from './list-options.ts'

export interface ThumbnailSize {
  readonly width: number
  readonly height: number
}

const DEFAULT_PIXELS = 96
const MOST_PIXELS = 2_048

/** Throws 400 for a size outside 1 to 2048 (decision 4). */
export function thumbnailSizeOf({ query }: Call): ThumbnailSize {
  const given = readParameters(query, ['companyid', 'width', 'height'])
  return { width: pixelsOf('width', given.get('width')), height: pixelsOf('height', given.get('height')) }
}

function pixelsOf(name: string, text: string | undefined): number {
  if (text === undefined) return DEFAULT_PIXELS
  const pixels = /^\d{1,9}$/.test(text.trim()) ? Number(text) : 0
  if (pixels >= 1 && pixels <= MOST_PIXELS) return pixels
  throw malformed(`The value of ${name} must be an integer from 1 to ${MOST_PIXELS}.`)
}

/** The file that a thumbnail is asked of. */
export interface Pictured {
  readonly mime_type: string
  readonly doc_size: number
  readonly file_hash: string
}

export interface MadeThumbnail extends ThumbnailSize {
  readonly png: Uint8Array
}

const underWay = new Map<string, Promise<MadeThumbnail>>()

/** What is drawn small. */
interface Source {
  readonly mimeType: string
  readonly sizeBytes: number
  read(): Promise<Readable>
}

/** One size of one content. */
interface Wanted extends ThumbnailSize {
  readonly companyId: string
  readonly hash: string
  /** What the names of its kept thumbnails begin with. */
  readonly kind: string
}

export function readThumbnail(
  service: DocumentService,
  flow: Flow,
  companyId: string,
  file: Pictured,
  size: ThumbnailSize,
): Promise<MadeThumbnail> {
  const key = JSON.stringify([companyId, file.file_hash, file.mime_type, size.width, size.height])
  const known = underWay.get(key)
  if (known) return known
  const made = make(service, flow, companyId, file, size).finally(() => underWay.delete(key))
  underWay.set(key, made)
  return made
}

async function make(
  { files, thumbnails, observe }: DocumentService,
  flow: Flow,
  companyId: string,
  { mime_type: mimeType, doc_size: sizeBytes, file_hash: hash }: Pictured,
  size: ThumbnailSize,
): Promise<MadeThumbnail> {
  const mayBeKept = thumbnails.isMadeOfContent(mimeType)
  const wanted: Wanted = { companyId, hash, kind: `${mimeType.replace(/\W/g, '-')}.`, ...size }
  const kept = mayBeKept ? await files.findDerived(companyId, hash, nameOf(wanted)) : undefined
  if (kept) {
    observe({ kind: 'thumbnail-answered', how: 'kept' })
    return { png: kept, ...sizeOfPng(kept) }
  }
  const whole: Source = { mimeType, sizeBytes, read: () => files.read(companyId, hash) }
  const nearest = mayBeKept ? await nearestKept(files, wanted) : undefined
  const { png, width, height, isLasting } = await thumbnails.make({ flow, ...(nearest ?? whole) }, size)
  observe({ kind: 'thumbnail-answered', how: !isLasting ? 'given-up' : mayBeKept ? 'made' : 'icon' })
  if (mayBeKept && isLasting && !nearest) await files.keepDerived(companyId, hash, nameOf(wanted), png)
  return { png, width, height }
}

/**
 * A caller may ask for any size, and opening a content may take long: once as many sizes of it are kept as may be, further
 * ones are drawn of the nearest of these.
 */
async function nearestKept(files: FileStore, wanted: Wanted): Promise<Source | undefined> {
  const { companyId, hash, kind, width, height } = wanted
  const names = await files.listDerived(companyId, hash)
  if (names.length < MOST_DERIVED) return undefined
  const sizes = names.filter((name) => name.startsWith(kind)).map((name) => sizeIn(name.slice(kind.length)))
  const areaOf = (size: ThumbnailSize) => size.width * size.height
  const larger = sizes.filter((size) => size.width >= width && size.height >= height)
  const smallestLarger = larger.sort((one, other) => areaOf(one) - areaOf(other))[0]
  const nearest = smallestLarger ?? sizes.sort((one, other) => areaOf(other) - areaOf(one))[0]
  const png = nearest && (await files.findDerived(companyId, hash, nameOf({ ...wanted, ...nearest })))
  return png && { mimeType: 'image/png', sizeBytes: png.length, read: async () => Readable.from([png]) }
}

function nameOf({ kind, width, height }: Pick<Wanted, 'kind' | 'width' | 'height'>): string {
  return `${kind}${width}x${height}.png`
}

function sizeIn(name: string): ThumbnailSize {
  const [width, height] = name.split(/[x.]/).map(Number)
  return { width: width ?? 0, height: height ?? 0 }
}

/** A PNG begins with its signature and the chunk of its header, in which the size stands first. */
function sizeOfPng(png: Uint8Array): ThumbnailSize {
  const header = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) }
}
