// Names of the model that OData has no other way to write: its identifiers are letters, digits and underscores.

const NO_PART = /[^\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}_]/gu
const START = /^[\p{L}\p{Nl}_]/u
/** Longer identifiers are not legal; a suffix must fit, too. */
const LONGEST = 120

/** The name as an identifier: what cannot stand in one is an underscore. */
export function identifier(name: string): string {
  const legal = name.replace(NO_PART, '_').slice(0, LONGEST)
  return START.test(legal) ? legal : `_${legal}`
}

/** Identifiers that are used once: a later one gets a number behind it, so the order of the names decides. */
export class Identifiers {
  readonly #used = new Set<string>()

  take(name: string): string {
    const wanted = identifier(name)
    let unique = wanted
    for (let number = 2; this.#used.has(unique.toLowerCase()); number++) unique = `${wanted}_${number}`
    this.#used.add(unique.toLowerCase())
    return unique
  }
}
