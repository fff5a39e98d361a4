// Texts that only the service can make: bytes with a code over them and their owner, for whom alone they are of use.
import { createHmac, timingSafeEqual } from 'node:crypto'

const MAC_BYTES = 16

export class SignedTokens {
  readonly #key: Buffer
  readonly #owner: string
  readonly #place: 'before' | 'behind'

  /** `key`: that of the service, the same in all its processes. `place`: where the code stands. */
  constructor(key: Buffer, owner: string, place: 'before' | 'behind') {
    this.#key = key
    this.#owner = owner
    this.#place = place
  }

  write(content: Buffer): string {
    const mac = this.#mac(content)
    return Buffer.concat(this.#place === 'before' ? [mac, content] : [content, mac]).toString('base64url')
  }

  /** The bytes; undefined for a text that is no token of this owner. */
  read(text: string): Buffer | undefined {
    const bytes = Buffer.from(text, 'base64url')
    // Two texts can stand for the same bytes: only the canonical one is accepted.
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return undefined
    const at = this.#place === 'before' ? MAC_BYTES : bytes.length - MAC_BYTES
    const [first, second] = [bytes.subarray(0, at), bytes.subarray(at)]
    const [mac, content] = this.#place === 'before' ? [first, second] : [second, first]
    return timingSafeEqual(mac, this.#mac(content)) ? content : undefined
  }

  #mac(content: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(content).update(this.#owner).digest().subarray(0, MAC_BYTES)
  }
}
