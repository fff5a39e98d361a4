// The interface of the file store. Contents are addressed by company and hash. Equal contents are stored once per
// company, and never shared between companies, so that no company can find out about the contents of another.
import type { Readable } from 'node:stream'

/** SHA-256 of the content, 64 hexadecimal digits in lower case. */
export type FileHash = string

/** A content as recorded in the database. */
export interface FileReference {
  readonly hash: FileHash
  /** In bytes. */
  readonly size: number
}

/** A completely received content in a staging file. Its bytes are synced to disk. */
export interface StagedFile extends FileReference {
  readonly path: string
  /** The first `HEAD_BYTES`, or the complete content if it is shorter. */
  readonly head: Buffer
}

/** The content of a request: absent, empty, invalid base64, or received completely. */
export type GivenContent = 'none' | 'empty' | 'not-base64' | StagedFile

/** Two buffers that the chunks of a content are read into alternately. */
export type ChunkBuffers = readonly [Buffer, Buffer]

/** A range of bytes, both ends inclusive, counted from 0. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

export interface StoredFile {
  readonly companyId: string
  readonly hash: FileHash
  readonly size: number
  /** The last time the content was stored. */
  readonly storedAt: Date
}

export interface FileStore {
  /**
   * Stores a staged content and removes the staging file. When this resolves, the content survives a power cut. Storing
   * an existing content again updates its time. Throws a Problem (503) when the disk is full or the store does not
   * respond.
   */
  put(companyId: string, staged: StagedFile): Promise<void>
  /**
   * The stored bytes, not verified against their hash. Resolves when reading has started. Throws `MissingFile` when
   * there is no such content, and a Problem (503) when the store does not respond.
   */
  read(companyId: string, hash: FileHash, range?: ByteRange): Promise<Readable>
  /**
   * Streams the complete content to its actual end, even if its size differs from the reference. The buffers are used
   * alternately: requesting a chunk overwrites the one before the last. Throws like `read`, with the first chunk.
   */
  readChunks(companyId: string, file: FileReference, buffers: ChunkBuffers): AsyncGenerator<Uint8Array, void, void>
  /** All stored contents, in no particular order, without renditions. */
  list(): AsyncGenerator<StoredFile, void, void>
  /** Deletes a content with its renditions. A missing content is no error. */
  remove(companyId: string, hash: FileHash): Promise<void>
  /** Finds a rendition by name: a small file derived from a content, such as a thumbnail, that can be created again. */
  findRendition(companyId: string, hash: FileHash, name: string): Promise<Uint8Array | undefined>
  /** The names of all renditions of a content. */
  listRenditions(companyId: string, hash: FileHash): Promise<string[]>
  /** Stores a rendition, which may be lost. Renditions beyond `MAX_RENDITIONS` of one content are not stored. */
  putRendition(companyId: string, hash: FileHash, name: string, bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** Maximum number of stored renditions per content: callers choose the sizes of thumbnails. */
export const MAX_RENDITIONS = 16

/** A content that is recorded in the database is missing in the store. */
export class MissingFile extends Error {
  override readonly name = 'MissingFile'

  constructor(companyId: string, hash: FileHash, cause?: unknown) {
    super(`the file ${hash} of company ${companyId} is not in the file store`, { cause })
  }
}
