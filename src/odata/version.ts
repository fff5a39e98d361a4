// The version of the protocol: answers are of OData 4.0.
import { shortened } from '../base/text.ts'
import { coded } from '../errors/catalogue.ts'

/** The headers of every answer. */
export const VERSION: Readonly<Record<string, string>> = { 'odata-version': '4.0' }

/** The `OData-MaxVersion` of a client; undefined: any. Throws 400 for what is no version, and for those below 4.0. */
export function maxVersionIn(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const version = /^\d{1,3}\.\d{1,3}$/.test(header.trim()) ? Number(header) : Number.NaN
  if (version >= 4) return version
  throw coded(400, 1020, `OData-MaxVersion is '${shortened(header, 40)}', but answers are of OData 4.0.`)
}
