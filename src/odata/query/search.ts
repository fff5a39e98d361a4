// The parser of $search: words and phrases, all of which must be found. OData's OR and NOT are 501.
import { Scanner } from './scanner.ts'

const MAX_TERMS = 50
const PHRASE = /"((?:[^"\\]|\\["\\])+)"/y
const BLANK = /[ \t]/y
const WORD = /[^\s"()']+[^\s"()]*/y

/** A word, or a phrase with its blanks. */
export interface SearchTerm {
  readonly text: string
  readonly isPhrase: boolean
  readonly position: number
}

export function parseSearch(text: string): readonly SearchTerm[] {
  const scanner = new Scanner('search', text)
  scanner.blanks()
  const terms = conjunction(scanner)
  scanner.blanks()
  scanner.requireEnd()
  return terms
}

function conjunction(scanner: Scanner): SearchTerm[] {
  const terms: SearchTerm[] = []
  for (;;) {
    if (terms.length > 0 && !takeOperator(scanner, 'AND') && takeOperator(scanner, 'OR'))
      throw scanner.unsupported('OR')
    if (takeOperator(scanner, 'NOT')) throw scanner.unsupported('NOT')
    terms.push(...term(scanner))
    if (terms.length > MAX_TERMS) throw scanner.error(`more than ${MAX_TERMS} words`)
    const { position } = scanner
    scanner.blanks()
    if (scanner.isAtEnd || scanner.sees(')')) return terms
    if (scanner.position === position) throw scanner.expected('a blank')
  }
}

/** With nothing behind it, it is a word to be found. */
function takeOperator(scanner: Scanner, word: 'AND' | 'OR' | 'NOT'): boolean {
  const { position } = scanner
  if (scanner.take(word) && scanner.match(BLANK)) {
    scanner.blanks()
    if (!scanner.isAtEnd) return true
  }
  scanner.return(position)
  return false
}

function term(scanner: Scanner): SearchTerm[] {
  if (scanner.sees('(')) {
    return scanner.nested(() => {
      scanner.require('(')
      scanner.blanks()
      const inner = conjunction(scanner)
      scanner.blanks()
      scanner.require(')')
      return inner
    })
  }
  const { position } = scanner
  const phrase = scanner.match(PHRASE)?.[1]
  if (phrase !== undefined) return [{ text: phrase.replace(/\\(.)/g, '$1'), isPhrase: true, position }]
  if (scanner.sees("'")) throw scanner.unsupported('a search in single quotes')
  const word = scanner.match(WORD)?.[0]
  if (word === undefined) throw scanner.expected('a word or a phrase in double quotes')
  return [{ text: word, isPhrase: false, position }]
}
