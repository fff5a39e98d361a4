import { invalidOption, malformed } from '../errors/catalogue.ts'

export type QueryPairs = readonly (readonly [name: string, value: string])[]

const NONE: QueryPairs = []

/** The decoded pairs of a query string, in order. Throws 400, code 1010, where percent-encoding does not decode. */
export function parseQueryString(text: string): QueryPairs {
  if (text === '') return NONE
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
