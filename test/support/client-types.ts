// Selects of random properties, and the TypeScript type that the JSON Schema of their answer has.

export interface SchemaNode {
  readonly type?: string
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly items?: SchemaNode
  readonly 'x-erp-complextype'?: unknown
  readonly 'x-erp-describable'?: unknown
  readonly 'x-erp-onRequest'?: SchemaNode
  readonly 'x-erp-valueList'?: { readonly valueList: string }
}

/** The type of a value with this schema; `union`: that of the codes of a value list. */
export function typeText(schema: SchemaNode, union: (list: string) => string): string {
  if (schema.type === 'array') return `${typeText(schema.items ?? {}, union)}[]`
  if (schema.properties !== undefined || schema.type === 'object') {
    const members = Object.entries(schema.properties ?? {}).map(
      ([name, inner]) => `${JSON.stringify(name)}: ${typeText(inner, union)}`,
    )
    return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`
  }
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'boolean') return 'boolean'
  const list = schema['x-erp-describable'] === undefined ? undefined : schema['x-erp-valueList']?.valueList
  return list === undefined ? 'string' : union(list)
}

type Random = () => number
type Nodes = Readonly<Record<string, SchemaNode>>

/** All that can be selected of a document, by its schema. */
export function selectable(row: SchemaNode): Nodes {
  const all = { ...row.properties, ...row['x-erp-onRequest']?.properties }
  return Object.fromEntries(Object.entries(all).filter(([name]) => !name.endsWith('(description)')))
}

/** A legal select of at most so many names. */
export function randomSelect(nodes: Nodes, random: Random, depth = 1): string {
  const names = Object.keys(nodes)
  const count = 1 + Math.floor(random() * Math.min(4, names.length))
  const items = Array.from({ length: count }, () => {
    const name = names[Math.floor(random() * names.length)] as string
    return itemOf(name, nodes[name] as SchemaNode, random, depth)
  })
  return [...(random() < 0.1 ? ['*'] : []), ...items].join(random() < 0.3 ? ', ' : ',')
}

function itemOf(name: string, node: SchemaNode, random: Random, depth: number): string {
  const inner = innerOf(node)
  if (inner === undefined) {
    if (node['x-erp-describable'] === undefined || random() < 0.5) return name
    return random() < 0.5 ? `${name}[T]` : `${name}[C;T]`
  }
  if (depth >= 3 || random() < 0.3) return name
  if (random() < 0.2) {
    const [first = ''] = Object.keys(inner).toSorted(() => random() - 0.5)
    return innerOf(inner[first] ?? {}) === undefined ? `${name}/${first}` : name
  }
  return `${name}(${randomSelect(inner, random, depth + 1)})`
}

function innerOf(node: SchemaNode): Nodes | undefined {
  const inside = node.type === 'array' ? node.items?.properties : node.properties
  return inside && Object.fromEntries(Object.entries(inside).filter(([name]) => !name.endsWith('(description)')))
}

/** A select with one name misspelt, and that name. */
export function misspelt(names: readonly string[], random: Random): { readonly select: string; readonly name: string } {
  const right = names[Math.floor(random() * names.length)] as string
  const at = 1 + Math.floor(random() * (right.length - 1))
  const wrong = random() < 0.5 ? right.slice(0, at) + right.slice(at + 1) : `${right.slice(0, at)}q${right.slice(at)}`
  const name = names.includes(wrong) ? `${wrong}Q` : wrong
  return { select: random() < 0.5 ? name : `${names[0]},${name}`, name }
}
