// The scrypt costs of secrets that are in use. A check goes through all of them, so that it takes as long for whoever
// has a secret of other costs, or none at all.
import { costsOf, DEFAULT_COSTS } from './secrets.ts'

/** By costs, such as `16384$8$1`: the most hashes of these costs that somebody has. */
export type SecretCosts = ReadonlyMap<string, number>

/** Each of `holders` is the hashes that one of them has. */
export function secretCostsOf(holders: Iterable<readonly string[]>): SecretCosts {
  const most = new Map<string, number>()
  for (const hashes of holders) {
    for (const [costs, same] of Map.groupBy(hashes, costsOf))
      most.set(costs, Math.max(same.length, most.get(costs) ?? 0))
  }
  return most.size === 0 ? new Map([[DEFAULT_COSTS, 1]]) : most
}

/** The costs of the hashes that are missing in a check of these. */
export function missingCosts(all: SecretCosts, hashes: readonly string[]): string[] {
  const own = Map.groupBy(hashes, costsOf)
  return [...all].flatMap(([costs, most]) =>
    new Array<string>(Math.max(0, most - (own.get(costs)?.length ?? 0))).fill(costs),
  )
}
