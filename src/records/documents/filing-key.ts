// How titles and index values are compared: without regard to case, whatever stands beside a letter.

const FINAL_SIGMA = /\u03c2/g

/** A sigma at the end of a word has a lower case of its own: without this, a beginning would not be one. */
export function filingKey(text: string): string {
  return text.toLowerCase().replace(FINAL_SIGMA, '\u03c3')
}
