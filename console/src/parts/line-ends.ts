// Line ends of texts: browsers know line feeds alone.

/** The line end that a text has; undefined where it has several kinds. */
export function lineEndsOf(text: string): string | undefined {
  const [first = '\n', ...others] = new Set(text.match(/\r\n|\r|\n/g))
  return others.length === 0 ? first : undefined
}

export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
