// Answers as pages print them: JSON with line breaks, and `…` for what is left out.

/** The first part of a printed answer that the answer does not have at its place; undefined when it has all. */
export function missingIn(answer: string, printed: string): string | undefined {
  const parts = compact(printed).split('…')
  let rest = compact(answer)
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    const at = isLast ? rest.length - part.length : rest.indexOf(part)
    if ((index === 0 && at !== 0) || rest.slice(at, at + part.length) !== part) return part
    rest = rest.slice(at + part.length)
  }
  return undefined
}

/** JSON without blanks outside of its strings. */
const compact = (json: string) => json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
