// Patterns of setups on an engine that takes a time in proportion to the value, whatever the pattern: hostile values are
// matched against them. It is RE2, which knows no back references and no look-around.
import { RE2JS } from 're2js'

export type ValuePattern = (value: string) => boolean

/** A pattern is for the whole value, as if it stood between ^ and $. Throws an Error that says what is wrong with it. */
export function valuePattern(pattern: string): ValuePattern {
  // What is a mistake in the syntax of JavaScript is told in its words.
  const syntax = syntaxProblem(pattern)
  if (syntax !== undefined) throw new Error(`is no regular expression: ${syntax}`)
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(translated(pattern)))
    return (value) => compiled.matches(value)
  } catch (cause) {
    throw new Error(
      `could take very long, or is not known here (no back references, no look-around, at most 1,000 repetitions): ${(cause as Error).message}`,
      { cause },
    )
  }
}

function syntaxProblem(pattern: string): string | undefined {
  try {
    new RegExp(`^(?:${pattern})$`, 'u')
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** What JavaScript takes for a blank; RE2 knows those of ASCII alone. */
const BLANKS = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const PART = /\\[pP]\{(?:\w+=)?(\w+)\}|\\[\s\S]|\[\^?\]|[[\]]/gu

/** The same pattern in the words of RE2, where they differ. */
function translated(pattern: string): string {
  let isInside = false
  return pattern.replace(PART, (part: string, property: string | undefined) => {
    if (part === '\\k' || part === '[]' || part === '[^]') throw new Error(`${part} is not known`)
    if (part === '[' || part === ']') isInside = part === '['
    if (property !== undefined) return `${part.slice(0, 2)}{${property}}`
    if (part === '\\s') return isInside ? BLANKS : `[${BLANKS}]`
    if (part !== '\\S') return part
    if (isInside) throw new Error('\\S stands in a class')
    return `[^${BLANKS}]`
  })
}
