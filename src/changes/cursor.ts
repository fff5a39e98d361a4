// Cursors: where a reader is in the log, as a text that only the service can make. It is of use to the caller alone
// that it was made for, and only with the same question.
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Position } from './record-change.ts'

/** The question that a cursor belongs to. */
export interface CursorOwner {
  readonly clientId: string
  readonly userId: string
  readonly companyId: string
  /** As the request names them; undefined: all that the caller may read. */
  readonly entities: readonly string[] | undefined
  readonly filter: string | undefined
  readonly select: string | undefined
  readonly latest: boolean
}

export interface LogPlace extends Position {
  /** The number from which the newest states are told; that of the position where `latest` is not asked for. */
  readonly base: number
}

/** A cursor as it was read. */
export interface ReadCursor extends LogPlace {
  /** Whether it was made under these rights. */
  hasRights(rights: string): boolean
}

const VERSION = 1
const NUMBER_BYTES = 8
const RIGHTS_BYTES = 8
const MAC_BYTES = 16
const RIGHTS_AT = 1 + 3 * NUMBER_BYTES
const MAC_AT = RIGHTS_AT + RIGHTS_BYTES
const CURSOR_BYTES = MAC_AT + MAC_BYTES
const CURSOR_TEXT = new RegExp(`^[\\w-]{${Math.ceil((CURSOR_BYTES * 8) / 6)}}$`)

export class Cursors {
  readonly #key: Buffer
  readonly #owner: string

  /** `key`: that of the service, the same in all its processes. */
  constructor(key: Buffer, { clientId, userId, companyId, entities, filter, select, latest }: CursorOwner) {
    this.#key = key
    this.#owner = JSON.stringify([
      clientId,
      userId,
      companyId,
      entities ?? null,
      filter ?? null,
      select ?? null,
      latest,
    ])
  }

  /** The cursor of a place under the rights of the caller. */
  write({ number, part, base }: LogPlace, rights: string): string {
    const bytes = Buffer.alloc(CURSOR_BYTES)
    bytes[0] = VERSION
    for (const [at, value] of [number, part, base].entries())
      bytes.writeBigUInt64BE(BigInt(value), 1 + at * NUMBER_BYTES)
    rightsOf(rights).copy(bytes, RIGHTS_AT)
    this.#mac(bytes).copy(bytes, MAC_AT)
    return bytes.toString('base64url')
  }

  /** Undefined for a text that is no cursor, or that of another question. */
  read(text: string): ReadCursor | undefined {
    if (!CURSOR_TEXT.test(text)) return undefined
    const bytes = Buffer.from(text, 'base64url')
    // Of two texts for the same bytes, only the canonical one is accepted.
    if (bytes.toString('base64url') !== text) return undefined
    if (!timingSafeEqual(bytes.subarray(MAC_AT), this.#mac(bytes)) || bytes[0] !== VERSION) return undefined
    const numberAt = (at: number) => Number(bytes.readBigUInt64BE(1 + at * NUMBER_BYTES))
    const given = bytes.subarray(RIGHTS_AT, MAC_AT)
    const hasRights = (rights: string) => rightsOf(rights).equals(given)
    return { number: numberAt(0), part: numberAt(1), base: numberAt(2), hasRights }
  }

  #mac(bytes: Buffer): Buffer {
    const mac = createHmac('sha256', this.#key).update(bytes.subarray(0, MAC_AT)).update(this.#owner).digest()
    return mac.subarray(0, MAC_BYTES)
  }
}

function rightsOf(rights: string): Buffer {
  return hash('sha256', rights, 'buffer').subarray(0, RIGHTS_BYTES)
}
