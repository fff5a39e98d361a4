import { LRUCache } from 'lru-cache'
import { Doorkeeper } from '../base/doorkeeper.ts'
import type { QueryPairs } from '../base/text.ts'
import { invalidOption, malformed } from '../errors/catalogue.ts'

const NO_PAIRS: QueryPairs = []

/**
 * Decoded query strings. Clients repeat them, and other caches have the pairs as their key. A cached plan takes
 * some 6 kB, or about 50 times the length of a long filter: some 10 MB in all.
 */
const cache = new LRUCache<string, QueryPairs>({
  maxSize: 500_000,
  sizeCalculation: (_pairs, text) => text.length + 300,
})
const doorkeeper = new Doorkeeper()

/**
 * The decoded pairs of a query string, in order; usually the same object for the same text. Throws 400 with code 1010
 * if the percent-encoding is invalid.
 */
export function parseQueryString(text: string): QueryPairs {
  if (text === '') return NO_PAIRS
  let pairs = cache.get(text)
  if (!pairs) {
    pairs = decodePairs(text)
    if (doorkeeper.hasSeen(text)) cache.set(text, pairs)
  }
  return pairs
}

function decodePairs(text: string): QueryPairs {
  return text.split('&').map((pair) => {
    const equals = pair.indexOf('=')
    return equals < 0 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))]
  })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw malformed(`The query string holds '${text.slice(0, 80)}', which is not percent-encoded UTF-8.`)
  }
}

/** The company that the query names, in any spelling of the parameter. An empty value counts as absent. */
export function companyIn(pairs: QueryPairs): string | undefined {
  const named = pairs.filter(([name]) => /^\$?companyid$/i.test(name))
  if (named.length > 1) throw invalidOption("The query option 'companyId' is given more than once.")
  return named[0]?.[1] || undefined
}
