// Searches answers for data of other companies in any encoding: plain, base64, percent-encoded, upper case.
import type { Answer, Sent } from '../world.ts'
import type { Company } from './companies.ts'

/** The base64 characters that any content with `text` contains, for each of the three possible alignments. */
function coresOf(text: string): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.from('\0'.repeat(shift) + text).toString('base64')
    // The first and the last characters depend on the adjacent bytes.
    return encoded.slice(shift === 0 ? 0 : 4, -4)
  })
}

function spellingsOf({ mark, number }: Company): RegExp {
  const folded = [mark, mark.replace(' ', '%20'), mark.replace(' ', '+'), mark.replace(' ', '_'), String(number)]
  const texts = [...folded, mark.toUpperCase()].flatMap(coresOf)
  const plain = folded.map((text) => text.replace('+', '\\+')).join('|')
  return new RegExp(`(?:${plain})|(?-i:${texts.map((core) => core.replaceAll('+', '\\+')).join('|')})`, 'i')
}

const known = new Map<string, RegExp>()

/** The mark of a company in a text, as it is spelled there; undefined when absent. */
export function markIn(text: string, company: Company): string | undefined {
  const spellings = known.get(company.id) ?? spellingsOf(company)
  known.set(company.id, spellings)
  return spellings.exec(text)?.[0]
}

/** Contents that are known only as bytes, such as thumbnails. */
export type SecretContents = readonly string[]

/** What an answer, its headers and the observed statements disclose of these companies, apart from what was sent. */
export function leaksIn(
  { url, body }: Pick<Sent, 'url' | 'body'>,
  { headers, bytes }: Pick<Answer, 'headers' | 'bytes'>,
  observed: unknown,
  foreign: readonly Company[],
  contents: SecretContents = [],
): string[] {
  const told = `${JSON.stringify(headers)}\n${bytes.toString('latin1')}\n${JSON.stringify(observed)}`
  const sent = `${url} ${JSON.stringify(body ?? '')}`
  const marks = foreign
    .map((company) => markIn(told, company))
    .filter((mark) => mark !== undefined && !sent.includes(mark))
  const found = contents.filter((content) => told.includes(content)).map((content) => content.slice(0, 40))
  return [...marks, ...found] as string[]
}
