// JSON whose numbers keep every digit.

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown

/** A number that a double cannot hold stays its text. */
const exact: Reviver = (_name, value, context) =>
  typeof value === 'number' && context?.source !== undefined && !isExact(value, context.source) ? context.source : value

/** Zeros behind the point are no digits that are lost. */
const isExact = (value: number, source: string): boolean =>
  String(value) === source.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') || /[eE]/.test(source)

export const parseExact = <Value>(text: string): Value => JSON.parse(text, exact as never) as Value
