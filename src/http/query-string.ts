import { LRUCache } from 'lru-cache'
import { Doorkeeper } from '../base/doorkeeper.ts'
import { invalidOption, malformed } from '../errors/catalogue.ts'

export type QueryPairs = readonly (readonly [name: string, value: string])[]

const NONE: QueryPairs = []

/**
 * Many clients ask the same again and again: what a text says is found out once, here and by all who keep it by its
 * pairs. A plan that is kept takes some 6 kB, with a long filter about 50 times its text: some 10 MB in all.
 */
const known = new LRUCache<string, QueryPairs>({
  maxSize: 500_000,
  sizeCalculation: (_pairs, text) => text.length + 300,
})
const doorkeeper = new Doorkeeper()

/**
 * The decoded pairs of a query string, in order; for the same text usually the same object. Throws 400, code 1010, where
 * percent-encoding does not decode.
 */
export function parseQueryString(text: string): QueryPairs {
  if (text === '') return NONE
  let pairs = known.get(text)
  if (!pairs) {
    pairs = decodePairs(text)
    if (doorkeeper.hasSeen(text)) known.set(text, pairs)
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

/** The company named by a query, in any spelling of the parameter; an empty one is none. Two are refused. */
export function companyIn(pairs: QueryPairs): string | undefined {
  const named = pairs.filter(([name]) => /^\$?companyid$/i.test(name))
  if (named.length > 1) throw invalidOption("The query option 'companyId' is given more than once.")
  return named[0]?.[1] || undefined
}
