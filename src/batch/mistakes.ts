// The mistakes in the body of a batch.
import type { JsonObject } from '../base/strict-json.ts'
import { shortened } from '../base/text.ts'
import { malformed } from '../errors/catalogue.ts'

const SHOWN_MISTAKES = 10

/** What is wrong, with its position in the body. */
export class Mistakes {
  readonly #texts: string[] = []

  add(position: string, text: string): void {
    this.#texts.push(`${position}: ${text}.`)
  }

  /** Annotations, whose names have an @, are ignored. */
  unknownMembers(position: string, object: JsonObject, known: readonly string[]): void {
    for (const name of Object.keys(object)) {
      if (known.includes(name) || name.includes('@')) continue
      this.add(`${position}${shortened(name, 40)}`, `expected ${known.join(', ')}`)
    }
  }

  throwIfAny(): void {
    if (this.#texts.length === 0) return
    const more = this.#texts.length - SHOWN_MISTAKES
    const rest = more > 0 ? [`There are ${more} more.`] : []
    throw malformed([...this.#texts.slice(0, SHOWN_MISTAKES), ...rest].join(' '))
  }
}
