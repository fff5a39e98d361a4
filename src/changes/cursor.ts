// Cursors: where a reader is in the log, as a text that only the service can make. It is of use to the caller alone
// that it was made for, and only with the same question.
import { hash } from 'node:crypto'
import { SignedTokens } from '../access/signed-token.ts'
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
const RIGHTS_AT = 1 + 3 * NUMBER_BYTES
const CONTENT_BYTES = RIGHTS_AT + RIGHTS_BYTES
const LONGEST_CURSOR = 100

export class Cursors {
  readonly #tokens: SignedTokens

  constructor(key: Buffer, { clientId, userId, companyId, entities, filter, select, latest }: CursorOwner) {
    const question = [entities ?? null, filter ?? null, select ?? null, latest]
    this.#tokens = new SignedTokens(key, JSON.stringify([clientId, userId, companyId, ...question]), 'behind')
  }

  /** The cursor of a place under the rights of the caller. */
  write({ number, part, base }: LogPlace, rights: string): string {
    const bytes = Buffer.alloc(CONTENT_BYTES)
    bytes[0] = VERSION
    for (const [at, value] of [number, part, base].entries())
      bytes.writeBigUInt64BE(BigInt(value), 1 + at * NUMBER_BYTES)
    rightsOf(rights).copy(bytes, RIGHTS_AT)
    return this.#tokens.write(bytes)
  }

  /** Undefined for a text that is no cursor, or that of another question. */
  read(text: string): ReadCursor | undefined {
    const bytes = text.length > LONGEST_CURSOR ? undefined : this.#tokens.read(text)
    if (bytes?.length !== CONTENT_BYTES || bytes[0] !== VERSION) return undefined
    const numberAt = (at: number) => Number(bytes.readBigUInt64BE(1 + at * NUMBER_BYTES))
    const given = bytes.subarray(RIGHTS_AT)
    const hasRights = (rights: string) => rightsOf(rights).equals(given)
    return { number: numberAt(0), part: numberAt(1), base: numberAt(2), hasRights }
  }
}

function rightsOf(rights: string): Buffer {
  return hash('sha256', rights, 'buffer').subarray(0, RIGHTS_BYTES)
}
