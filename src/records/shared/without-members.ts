// JSON texts that the database made, without some of their members. Numbers stay as they are written: there are integers
// that no number of JavaScript holds.

type Reviver = (this: unknown, name: string, value: unknown, context: { readonly source?: string }) => unknown

/** Node's own, which the types of TypeScript do not know yet. */
const { parse, rawJSON } = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown
  rawJSON(text: string): unknown
}

const keepNumber: Reviver = (_name, value, { source }) =>
  typeof value === 'number' && source !== undefined ? rawJSON(source) : value

/** The text of an object without the members whose paths are hidden; lists stand there whole or not at all. */
export function withoutMembers(json: string, isHidden: (path: readonly string[]) => boolean): string {
  const whole = parse(json, keepNumber) as object
  remove(whole, [], isHidden)
  return JSON.stringify(whole)
}

function remove(object: object, above: readonly string[], isHidden: (path: readonly string[]) => boolean): void {
  for (const [name, value] of Object.entries(object)) {
    const path = [...above, name]
    if (isHidden(path)) delete (object as Record<string, unknown>)[name]
    else if (typeof value === 'object' && value !== null && !Array.isArray(value)) remove(value, path, isHidden)
  }
}
