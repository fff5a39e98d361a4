import type { BoundValue } from '../../query/bound-value.ts'

const LAST_CODE_POINT = 0x10ffff
const BEFORE_SURROGATES = 0xd7ff
const AFTER_SURROGATES = 0xe000

/** The first text by code point after all texts with this prefix; undefined when there is none. */
export function successorOf(prefix: string): string | undefined {
  const codes = [...prefix].map((letter) => letter.codePointAt(0) ?? 0)
  while (codes.at(-1) === LAST_CODE_POINT) codes.pop()
  const last = codes.pop()
  if (last === undefined) return undefined
  codes.push(last === BEFORE_SURROGATES ? AFTER_SURROGATES : last + 1)
  return String.fromCodePoint(...codes)
}

/** Whether texts that start with a value are before some others. */
export function hasSuccessor(prefix: BoundValue): boolean {
  return prefix.ask((value) => successorOf(String(value)) !== undefined)
}
