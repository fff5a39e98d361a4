// What a file of types says, whatever a formatter has made of its lines, quotes and semicolons.

export interface TypedProperty {
  /** As the client names it, such as `Coded`. */
  readonly kind: string
  /** The alternatives of its type; none of a group or list. */
  readonly types: readonly string[]
}

/** Properties by their path, such as `customers.invoice.creditLimit`; a document has the kind `document`. */
export type TypesModel = ReadonlyMap<string, TypedProperty>

const TOKEN = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_$][\w$]*|[{}<>:|]/g

/** Empty if the text has no types of documents. Throws where it cannot be read. */
export function typesModel(text: string): TypesModel {
  const tokens = (text.match(TOKEN) ?? []).filter((token) => !token.startsWith('/'))
  const model = new Map<string, TypedProperty>()
  tokens.forEach((token, at) => {
    // interface Customers { name : "customers" properties : {
    if (token !== 'interface' || tokens[at + 3] !== 'name' || tokens[at + 6] !== 'properties') return
    const name = unquoted(tokens[at + 5] ?? '')
    model.set(name, { kind: 'document', types: [] })
    readMembers(tokens, at + 9, name, model)
  })
  return model
}

/** Answers the position behind the brace that ends them. */
function readMembers(
  tokens: readonly string[],
  start: number,
  path: string,
  model: Map<string, TypedProperty>,
): number {
  let at = start
  while (tokens[at] !== '}') {
    // countryCode : Coded <
    const [name = '', colon, kind = '', opened] = tokens.slice(at, at + 4)
    if (colon !== ':' || opened !== '<') throw new Error(`the types of ${path} cannot be read at ${name}`)
    const member = `${path}.${unquoted(name)}`
    at += 4
    const types: string[] = []
    model.set(member, { kind, types })
    if (tokens[at] === '{') at = readMembers(tokens, at + 1, member, model)
    for (; at < tokens.length && tokens[at] !== '>'; at += 1)
      if (tokens[at] !== '|') types.push(typeIn(tokens[at] ?? ''))
    at += 1
  }
  return at + 1
}

const typeIn = (token: string) => (/^["']/.test(token) ? JSON.stringify(unquoted(token)) : token)

function unquoted(token: string): string {
  if (token.startsWith("'")) return token.slice(1, -1).replaceAll(/\\(.)/g, '$1')
  return token.startsWith('"') ? (JSON.parse(token) as string) : token
}
