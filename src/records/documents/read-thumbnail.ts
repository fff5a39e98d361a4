// Thumbnails of contents: made once for each size, kept beside the content, and made for one caller when several ask.
import { malformed } from '../../errors/catalogue.ts'
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

export function readThumbnail(
  service: DocumentService,
  companyId: string,
  file: Pictured,
  size: ThumbnailSize,
): Promise<MadeThumbnail> {
  const key = JSON.stringify([companyId, file.file_hash, file.mime_type, size.width, size.height])
  const known = underWay.get(key)
  if (known) return known
  const made = make(service, companyId, file, size).finally(() => underWay.delete(key))
  underWay.set(key, made)
  return made
}

async function make(
  { files, thumbnails, observe }: DocumentService,
  companyId: string,
  { mime_type: mimeType, doc_size: sizeBytes, file_hash: hash }: Pictured,
  size: ThumbnailSize,
): Promise<MadeThumbnail> {
  const mayBeKept = thumbnails.isMadeOfContent(mimeType)
  const name = `${mimeType.replace(/\W/g, '-')}.${size.width}x${size.height}.png`
  const kept = mayBeKept ? await files.findDerived(companyId, hash, name) : undefined
  if (kept) {
    observe({ kind: 'thumbnail-answered', how: 'kept' })
    return { png: kept, ...sizeOfPng(kept) }
  }
  const read = () => files.read(companyId, hash)
  const { png, width, height, isLasting } = await thumbnails.make({ mimeType, sizeBytes, read }, size)
  observe({ kind: 'thumbnail-answered', how: !isLasting ? 'given-up' : mayBeKept ? 'made' : 'icon' })
  if (mayBeKept && isLasting) await files.keepDerived(companyId, hash, name, png)
  return { png, width, height }
}

/** A PNG begins with its signature and the chunk of its header, in which the size stands first. */
function sizeOfPng(png: Uint8Array): ThumbnailSize {
  const header = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) }
}
