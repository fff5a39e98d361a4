// The key for comparing titles and index values: case-insensitive and independent of the neighbouring letters.

const FINAL_SIGMA = /\u03c2/g

/** Maps the final sigma to the common one: otherwise the key of a prefix might not be a prefix of the key. */
export function searchKey(text: string): string {
  return text.toLowerCase().replace(FINAL_SIGMA, '\u03c3')
}
