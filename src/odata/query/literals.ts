// Literals, as they stand in URLs.
import type { Literal } from '../../query/parse/tree.ts'
import type { Scanner } from './scanner.ts'

const END = "(?![\\w.:'])"
const WORD = new RegExp(`(?:null|true|false|NaN|INF|-INF)${END}`, 'y')
const MOMENT = new RegExp(
  `\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,12})?)?(?:Z|[+-]\\d{2}:\\d{2}))?${END}`,
  'iy',
)
const NUMBER = new RegExp(`[+-]?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?${END}`, 'iy')
const GUID = new RegExp(`[\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12}${END}`, 'iy')
const TIME_OF_DAY = /\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?/y
/** Such as `duration'P1D'`, or the value of an enumeration. */
const TYPED = /[\p{L}_][\p{L}\p{N}_.]*'/uy
const WITHOUT_ZONE = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?/y
const JSON_START = /[[{]/y

const WORD_TYPES: Readonly<Record<string, Literal['type']>> = { null: 'null', true: 'boolean', false: 'boolean' }

/** A literal if one stands here. Throws 501 for those of types that no property here has. */
export function literalAt(scanner: Scanner): Literal | undefined {
  const { position } = scanner
  const made = (type: Literal['type'], text: string): Literal =>
    scanner.part({ kind: 'literal', type, text, position, isTyped: true })
  const text = scanner.string()
  if (text !== undefined) return made('string', text)
  const word = scanner.match(WORD)?.[0]
  if (word !== undefined) {
    const type = WORD_TYPES[word]
    if (type) return made(type, word)
    throw scanner.unsupported(`the number ${word}`, position)
  }
  refuseOthers(scanner)
  const moment = scanner.match(MOMENT)?.[0]
  if (moment !== undefined) return made('date', moment.toUpperCase())
  const number = scanner.match(NUMBER)?.[0]
  return number === undefined ? undefined : made('number', number)
}

function refuseOthers(scanner: Scanner): void {
  const { position } = scanner
  if (scanner.match(GUID)) throw scanner.unsupported('a GUID', position)
  if (scanner.match(TIME_OF_DAY)) throw scanner.unsupported('a time of day', position)
  if (scanner.match(JSON_START)) throw scanner.unsupported('an array or object in JSON', position)
  const typed = scanner.match(TYPED)
  if (typed) throw scanner.unsupported(`the literal ${typed[0]}...'`, position)
  const start = scanner.match(WITHOUT_ZONE)
  const hasZone = scanner.match(/(?:Z|[+-]\d{2}:\d{2})/iy)
  if (start && !hasZone) {
    throw scanner.error('a date-time ends with its offset, such as Z or +01:00 (with the plus as %2B)', position)
  }
  scanner.return(position)
}
