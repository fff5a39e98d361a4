// Damage in the write-ahead log that SQLite passes over without a word: it reads the log up to the first frame that is
// not as it was written, and takes whatever stands behind it for the torn end of a write that nobody was told of. The
// format is that of https://sqlite.org/fileformat2.html#walformat.
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** The last bit of the first number says in which order the bytes of a word are that checksums are made of. */
const MAGIC = 0x377f0682
const FRAMES_AT_ONCE = 64

/**
 * Throws when commits of the log cannot be read any more though they were acknowledged. Nobody may have the file open.
 */
export function requireWholeLog(database: string): void {
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

/** Where the first damaged frame begins that acknowledged commits stand behind. */
function damageIn(handle: number): number | undefined {
  const header = Buffer.alloc(HEADER_BYTES)
  if (readSync(handle, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined
  const checksum = new Checksum((header.readUInt32BE(0) & 1) === 1)
  checksum.add(header, 0, HEADER_BYTES - 8)
  const hasFrames = fstatSync(handle).size > HEADER_BYTES + FRAME_HEADER_BYTES
  if ((header.readUInt32BE(0) & ~1) >>> 0 !== MAGIC || !checksum.isAt(header, HEADER_BYTES - 8)) {
    // It is written, and waited for, before the first frame.
    return hasFrames ? 0 : undefined
  }
  return damagedFrame(handle, { pageBytes: header.readUInt32BE(8), salts: header.subarray(16, 24), checksum })
}

interface Log {
  readonly pageBytes: number
  /** Of this round of the log: frames of earlier rounds, which have been copied to the file, have others. */
  readonly salts: Buffer
  readonly checksum: Checksum
}

function damagedFrame(handle: number, { pageBytes, salts, checksum }: Log): number | undefined {
  const frameBytes = FRAME_HEADER_BYTES + pageBytes
  let damagedAt: number | undefined
  let hasCommitBehind = false
  for (const { frame, at } of framesOf(handle, frameBytes)) {
    const isOfThisRound = salts.equals(frame.subarray(8, 16))
    if (damagedAt === undefined) {
      checksum.add(frame, 0, 8)
      checksum.add(frame, FRAME_HEADER_BYTES, frameBytes)
      if (!isOfThisRound || !checksum.isAt(frame, 16)) damagedAt = at
    }
    if (damagedAt === undefined || !isOfThisRound) continue
    // The frames of a commit are on disk before those of the next write begin: what stands behind it proves that. A
    // commit that nothing stands behind may be one that was cut short and that nobody was told of.
    if (hasCommitBehind) return damagedAt
    hasCommitBehind = frame.readUInt32BE(4) !== 0
  }
  return undefined
}

function* framesOf(handle: number, frameBytes: number): Generator<{ frame: Buffer; at: number }, void, void> {
  const piece = Buffer.alloc(frameBytes * FRAMES_AT_ONCE)
  let at = HEADER_BYTES
  for (;;) {
    const read = readSync(handle, piece, 0, piece.length, at)
    for (let from = 0; from + frameBytes <= read; from += frameBytes) {
      yield { frame: piece.subarray(from, from + frameBytes), at: at + from }
    }
    if (read < piece.length) return
    at += read
  }
}

/** The running checksum of a log: two sums of words, each of which goes into the other. */
class Checksum {
  readonly #isBigEndian: boolean
  #first = 0
  #second = 0

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian
  }

  add(bytes: Buffer, from: number, to: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const isLittleEndian = !this.#isBigEndian
    for (let at = from; at < to; at += 8) {
      this.#first = (this.#first + view.getUint32(at, isLittleEndian) + this.#second) >>> 0
      this.#second = (this.#second + view.getUint32(at + 4, isLittleEndian) + this.#first) >>> 0
    }
  }

  /** Whether these sums stand there, as they always do with the highest byte first. */
  isAt(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#first && bytes.readUInt32BE(at + 4) === this.#second
  }
}
