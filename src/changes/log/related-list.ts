// The related values within the text of a record. Quotes inside texts are escaped, so that the name of a member with
// the comma before it stands nowhere else.

const LIST = ',"relatedValues":['

/** The text with another list of related values. */
export function withRelatedValues(text: string, items: readonly string[]): string {
  const at = text.indexOf(LIST)
  if (at < 0) return text
  const start = at + LIST.length
  return `${text.slice(0, start)}${items.join(',')}${text.slice(endOf(text, start))}`
}

/** The position of the bracket that ends the list. */
function endOf(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfText(text, at)
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') {
      if (depth === 0) return at
      depth -= 1
    }
  }
  return text.length
}

/** The position of the quote that ends the text which starts at a quote. */
function endOfText(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
