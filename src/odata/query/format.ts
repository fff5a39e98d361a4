// The format of answers: JSON with minimal metadata, whose numbers are numbers.
import { shortened } from '../../base/text.ts'
import { notSupported } from './refusals.ts'

const JSON_FORMAT = /^(?:application\/)?json(?:;|$)/i
const NUMBERS_AS_TEXTS = /;\s*IEEE754Compatible\s*=\s*true/i

/** Throws 501 for another `$format`, and for numbers as texts. `accept`: the header, if there is no `$format`. */
export function requireFormat(format: string | undefined, accept: string | undefined): void {
  if (format !== undefined && !JSON_FORMAT.test(format)) throw notSupported(`the format ${shortened(format, 40)}`)
  if (NUMBERS_AS_TEXTS.test(format ?? accept ?? '')) throw notSupported('numbers as texts (IEEE754Compatible=true)')
}
