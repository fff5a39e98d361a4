// JSON that is parsed and printed again with the digits of its numbers: some have more than a double.

/** What JavaScript has for it, without types yet (ECMAScript, JSON.parse source text access). */
interface ExactJson {
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown
  rawJSON(text: string): { readonly rawJSON: string }
  isRawJSON(value: unknown): value is { readonly rawJSON: string }
}
const EXACT = JSON as unknown as ExactJson

/** Numbers are objects that print as they were written. */
export function parseExact(text: string): unknown {
  return EXACT.parse(text, (_name, value, { source }) =>
    typeof value === 'number' ? EXACT.rawJSON(String(source)) : value,
  )
}

/** The digits of a number of `parseExact`; undefined for anything else. */
export function digitsOf(value: unknown): string | undefined {
  return EXACT.isRawJSON(value) ? value.rawJSON : undefined
}
