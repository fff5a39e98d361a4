// Detects damage in the write-ahead log that SQLite silently ignores: it reads the log up to the first invalid frame
// and treats everything after it as the torn end of an unacknowledged write. The format is specified at
// https://sqlite.org/fileformat2.html#walformat.
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** The magic number without its last bit, which gives the byte order of the words for checksums. */
const MAGIC = 0x377f0682
const FRAMES_AT_ONCE = 64

/** Throws when acknowledged commits of the log can no longer be read. Nobody may have the file open. */
export function requireSoundLog(database: string): void {
  const log = `${database}-wal`
  if (!existsSync(log)) return
  const handle = openSync(log, 'r')
  try {
    const damagedAt = damageIn(handle)
    if (damagedAt === undefined) return
    throw new Error(
      `${log} is damaged at byte ${damagedAt}: commits behind it were acknowledged and cannot be read. Restore the last backup; ` +
        `or keep a copy of the folder and go on without them: truncate -s ${damagedAt} ${log}`,
    )
  } finally {
    closeSync(handle)
  }
}

/** The position of the first damaged frame, if acknowledged commits follow it. */
function damageIn(handle: number): number | undefined {
  const header = Buffer.alloc(HEADER_BYTES)
  if (readSync(handle, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined
  const checksum = new Checksum((header.readUInt32BE(0) & 1) === 1)
  checksum.add(header, 0, HEADER_BYTES - 8)
  const hasFrames = fstatSync(handle).size > HEADER_BYTES + FRAME_HEADER_BYTES
  if ((header.readUInt32BE(0) & ~1) >>> 0 !== MAGIC || !checksum.isAt(header, HEADER_BYTES - 8)) {
    // The header is synced before the first frame is written.
    return hasFrames ? 0 : undefined
  }
  return damagedFrame(handle, { pageBytes: header.readUInt32BE(8), salts: header.subarray(16, 24), checksum })
}

interface Log {
  readonly pageBytes: number
  /**
   * The salts of the current generation of the log: frames of earlier generations, which were copied to the file, have
   * others.
   */
  readonly salts: Buffer
  readonly checksum: Checksum
}

function damagedFrame(handle: number, { pageBytes, salts, checksum }: Log): number | undefined {
  const frameBytes = FRAME_HEADER_BYTES + pageBytes
  let damagedAt: number | undefined
  let laterCommit: Checksum | undefined
  for (const { frame, at } of framesOf(handle, frameBytes)) {
    const isCurrent = salts.equals(frame.subarray(8, 16))
    if (damagedAt === undefined) {
      checksum.addFrame(frame)
      if (!isCurrent || !checksum.isAt(frame, 16)) damagedAt = at
    }
    if (damagedAt === undefined) continue
    // The frames of a commit are synced before those of the next write start, so a frame that continues the checksum of
    // a commit proves that the commit was acknowledged. A frame that does not continue it may be left over from writes
    // that were killed and then written over in part.
    laterCommit?.addFrame(frame)
    if (isCurrent && laterCommit?.isAt(frame, 16)) return damagedAt
    laterCommit = isCurrent && frame.readUInt32BE(4) !== 0 ? checksum.from(frame, 16) : undefined
  }
  return undefined
}

function* framesOf(handle: number, frameBytes: number): Generator<{ frame: Buffer; at: number }, void, void> {
  const buffer = Buffer.alloc(frameBytes * FRAMES_AT_ONCE)
  let at = HEADER_BYTES
  for (;;) {
    const read = readSync(handle, buffer, 0, buffer.length, at)
    for (let from = 0; from + frameBytes <= read; from += frameBytes) {
      yield { frame: buffer.subarray(from, from + frameBytes), at: at + from }
    }
    if (read < buffer.length) return
    at += read
  }
}

/** The running checksum of a log: two interdependent sums of words. */
class Checksum {
  readonly #isBigEndian: boolean
  #first = 0
  #second = 0

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian
  }

  /** The sums that are stored at a position, to be continued. */
  from(bytes: Buffer, at: number): Checksum {
    const stored = new Checksum(this.#isBigEndian)
    stored.#first = bytes.readUInt32BE(at)
    stored.#second = bytes.readUInt32BE(at + 4)
    return stored
  }

  /** Adds what the checksum of a frame covers: its page number, the size of the database, and the page. */
  addFrame(frame: Buffer): void {
    this.add(frame, 0, 8)
    this.add(frame, FRAME_HEADER_BYTES, frame.length)
  }

  add(bytes: Buffer, from: number, to: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const isLittleEndian = !this.#isBigEndian
    for (let at = from; at < to; at += 8) {
      this.#first = (this.#first + view.getUint32(at, isLittleEndian) + this.#second) >>> 0
      this.#second = (this.#second + view.getUint32(at + 4, isLittleEndian) + this.#first) >>> 0
    }
  }

  /** Whether these sums are stored at a position, always in big-endian order. */
  isAt(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#first && bytes.readUInt32BE(at + 4) === this.#second
  }
}
