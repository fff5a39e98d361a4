import { LRUCache } from 'lru-cache'

/**
 * A map of the `most` entries that were used last, for `ttl` milliseconds each; by default as long as there is room. A
 * cache that is told the number of its entries would make room for all of them when it is made: with many thousands,
 * that slows a start.
 */
export function lastUsed<Key extends string, Value extends {}>(most: number, ttl = 0): LRUCache<Key, Value> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttl })
}
