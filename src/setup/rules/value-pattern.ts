// Compiles patterns of setups with RE2, whose matching time is linear in the length of the value for every pattern:
// untrusted values are matched against them. RE2 has no back references and no look-around.

import { RE2JS } from 're2js'
import { messageOf, orUndefined } from '../../base/thrown.ts'

export type ValuePattern = (value: string) => boolean

/** The pattern must match the complete value, as if between ^ and $. Throws an Error that describes a bad pattern. */
export function valuePattern(pattern: string): ValuePattern {
  const compiled = compile(pattern)
  return (value) => compiled.matches(value)
}

/** A value takes some 7 ns for each of its characters and each instruction of the pattern at the worst. */
const MAX_STEPS = 2_000_000

/** The length of a value, in characters, up to which matching takes next to no time. */
export function longestMatched(pattern: string): number {
  return Math.floor(MAX_STEPS / compile(pattern).programSize())
}

function compile(pattern: string): RE2JS {
  // Syntax errors are reported with the message of the JavaScript engine.
  const syntax = syntaxProblem(pattern)
  if (syntax !== undefined) throw new Error(`is no regular expression: ${syntax}`)
  try {
    return RE2JS.compile(RE2JS.translateRegExp(toRe2Syntax(pattern)))
  } catch (cause) {
    throw new Error(
      `could take very long, or is not known here (no back references, no look-around, at most 1,000 repetitions): ${messageOf(cause)}`,
      { cause },
    )
  }
}

/**
 * The pattern of a stored setup: one that this version cannot compile matches nothing. Compiled for the first value:
 * there may be hundreds, and a start would wait for them.
 */
export function storedPattern(pattern: string): ValuePattern {
  let compiled: ValuePattern | undefined
  return (value) => {
    compiled ??= orUndefined(() => valuePattern(pattern)) ?? (() => false)
    return compiled(value)
  }
}

function syntaxProblem(pattern: string): string | undefined {
  try {
    new RegExp(`^(?:${pattern})$`, 'u')
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** The characters of \s in JavaScript; the \s of RE2 is ASCII only. */
const WHITE_SPACE = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const PART = /\\[pP]\{(?:\w+=)?(\w+)\}|\\[\s\S]|\[\^?\]|[[\]]/gu

/** Translates JavaScript syntax that RE2 writes differently. */
function toRe2Syntax(pattern: string): string {
  let isInClass = false
  return pattern.replace(PART, (part: string, property: string | undefined) => {
    if (part === '\\k' || part === '[]' || part === '[^]') throw new Error(`${part} is not known`)
    if (part === '[' || part === ']') isInClass = part === '['
    if (property !== undefined) return `${part.slice(0, 2)}{${property}}`
    if (part === '\\s') return isInClass ? WHITE_SPACE : `[${WHITE_SPACE}]`
    if (part !== '\\S') return part
    if (isInClass) throw new Error('\\S stands in a class')
    return `[^${WHITE_SPACE}]`
  })
}
