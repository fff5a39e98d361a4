// The query options of a request: what the standard calls system query options, with or without `$`, in any letter case
// (OData 4.01). Others are of no concern to the service, as the standard says, unless they begin with `$` or `@`.
import { type QueryPairs, shortened } from '../../base/text.ts'
import { invalidOption } from '../../errors/catalogue.ts'
import { notSupported } from './refusals.ts'

const KNOWN = [
  'filter',
  'select',
  'orderby',
  'top',
  'skip',
  'count',
  'expand',
  'search',
  'apply',
  'skiptoken',
  'format',
] as const
export type ODataOption = (typeof KNOWN)[number]

/** System query options of OData 4.01 that are not supported. */
const OTHERS: ReadonlySet<string> = new Set(['compute', 'deltatoken', 'id', 'index', 'levels', 'schemaversion'])

export type ODataOptions = Readonly<Partial<Record<ODataOption, string>>>

/** Throws 400 for an option that is unknown, repeated or empty, and 501 for one that is not supported. */
export function readODataOptions(pairs: QueryPairs): ODataOptions {
  const found: Partial<Record<ODataOption, string>> = {}
  for (const [name, text] of pairs) {
    const option = optionOf(name)
    if (option === undefined) continue
    if (found[option] !== undefined) throw invalidOption(`The query option '$${option}' is given more than once.`)
    if (text === '') throw invalidOption(`The query option '$${option}' is empty.`)
    found[option] = text
  }
  return found
}

function optionOf(name: string): ODataOption | undefined {
  if (name.startsWith('@')) throw notSupported(`the parameter alias ${shortened(name)}`)
  const isSystem = name.startsWith('$')
  const bare = (isSystem ? name.slice(1) : name).toLowerCase()
  const known = KNOWN.find((one) => one === bare)
  if (known) return known
  if (OTHERS.has(bare)) throw notSupported(`the query option $${bare}`)
  if (isSystem) throw invalidOption(`Unknown query option '${shortened(name)}'.`)
  return undefined
}

const MOST = 2 ** 31 - 1

/** A number of rows. Throws 400. */
export function rowsIn(options: ODataOptions, option: 'top' | 'skip'): number | undefined {
  const text = options[option]
  if (text === undefined) return undefined
  const rows = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (rows <= MOST) return rows
  throw invalidOption(
    `The value '${shortened(text, 40)}' is not valid for $${option}: it is a number from 0 to ${MOST}.`,
  )
}

/** Throws 400. */
export function countIn({ count }: ODataOptions): boolean {
  if (count === undefined || /^false$/i.test(count)) return false
  if (/^true$/i.test(count)) return true
  throw invalidOption(`The value '${shortened(count, 40)}' is not valid for $count: it is true or false.`)
}

/** The most rows of a page that the client wishes (`Prefer: odata.maxpagesize`); undefined if it wishes none. */
export function pageSizeIn(prefer: string | undefined): number | undefined {
  const found = prefer && /(?:^|[,;])\s*(?:odata\.)?maxpagesize\s*=\s*"?(\d{1,9})"?\s*(?=[,;]|$)/i.exec(prefer)
  const size = found ? Number(found[1]) : 0
  return size > 0 ? size : undefined
}
