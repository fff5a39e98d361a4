// What the rest of the program sees of the place where file contents are kept: by company and by the hash of the bytes.
// Every company has its own: equal contents of one company are kept once, and no company can find out about another's.
import type { Readable } from 'node:stream'

/** SHA-256 of the content, 64 hexadecimal digits in lower case. */
export type FileHash = string

/** A content as the database knows it. */
export interface FileReference {
  readonly hash: FileHash
  /** In bytes. */
  readonly size: number
}

/** A content that was received whole, in a file that is only ours. Its bytes are on the disk. */
export interface StagedFile extends FileReference {
  readonly path: string
  /** How it begins: `HEAD_BYTES`, or all of it. */
  readonly head: Buffer
}

/** Where pieces of a content are read to. */
export type Places = readonly [Buffer, Buffer]

/** Part of a content: both ends are in it, counted from 0. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

export interface KeptFile {
  readonly companyId: string
  readonly hash: FileHash
  readonly size: number
  /** When it was last kept. */
  readonly keptAt: Date
}

export interface FileStore {
  /**
   * Keeps a staged content and takes its file away. When it resolves, the content survives a power cut. A content that is
   * there already is kept once more: its time is that of the last one who kept it. Throws a Problem (503) when there is no
   * room or the store does not answer.
   */
  keep(companyId: string, staged: StagedFile): Promise<void>
  /**
   * The bytes as they are kept, not yet compared with their hash. Resolves when reading has begun. Throws `MissingFile`
   * when there is no such content, a Problem (503) when the store does not answer.
   */
  read(companyId: string, hash: FileHash, range?: ByteRange): Promise<Readable>
  /**
   * The same whole, whatever its size is by now, piece by piece. The two places are for the pieces in turn: of two pieces
   * that were given, the older one is lost when another is asked for. Throws as `read` does, with the first piece.
   */
  pieces(companyId: string, file: FileReference, places: Places): AsyncGenerator<Uint8Array, void, void>
  /** Everything that is kept, in no order. What was derived is not told. */
  list(): AsyncGenerator<KeptFile, void, void>
  /** Takes a content away, with everything that was derived from it. One that is not there is no mistake. */
  remove(companyId: string, hash: FileHash): Promise<void>
  /** A small file that was made from a content and can be made again, such as a thumbnail, by its own name. */
  findDerived(companyId: string, hash: FileHash, name: string): Promise<Uint8Array | undefined>
  /** The names of all that were derived from a content. */
  listDerived(companyId: string, hash: FileHash): Promise<string[]>
  /** Keeps what was derived; it may be lost. At most `MOST_DERIVED` are kept of one content, further ones are not. */
  keepDerived(companyId: string, hash: FileHash, name: string, bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** A caller chooses the size of a thumbnail: no content gets more than this many. */
export const MOST_DERIVED = 16

/** A content that the database knows is not in the store: somebody took it away. */
export class MissingFile extends Error {
  override readonly name = 'MissingFile'

  constructor(companyId: string, hash: FileHash, cause?: unknown) {
    super(`the file ${hash} of company ${companyId} is not in the file store`, { cause })
  }
}
