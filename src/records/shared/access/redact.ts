// Removes members from JSON that the database produced. Numbers keep their source text, because some integers exceed
// the precision of a JavaScript number.

type Reviver = (this: unknown, name: string, value: unknown, context: { readonly source?: string }) => unknown

/** Source text access of JSON.parse: Node supports it, but TypeScript has no types for it yet. */
const { parse, rawJSON } = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown
  rawJSON(text: string): unknown
}

const keepNumber: Reviver = (_name, value, { source }) =>
  typeof value === 'number' && source !== undefined ? rawJSON(source) : value

/** Removes the members with hidden paths from a JSON object. A list is removed completely or not at all. */
export function withoutMembers(json: string, isHidden: (path: readonly string[]) => boolean): string {
  const root = parse(json, keepNumber) as object
  remove(root, [], isHidden)
  return JSON.stringify(root)
}

function remove(object: object, above: readonly string[], isHidden: (path: readonly string[]) => boolean): void {
  for (const [name, value] of Object.entries(object)) {
    const path = [...above, name]
    if (isHidden(path)) delete (object as Record<string, unknown>)[name]
    else if (typeof value === 'object' && value !== null && !Array.isArray(value)) remove(value, path, isHidden)
  }
}
