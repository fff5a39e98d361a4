// Between which keys the rows of a filter are, so that they are found and not searched for.
import { type Cut, compareCuts, compareValues } from './cut.ts'
import { type Compared, isCompared, type Node } from './filter.ts'

type Side = 'low' | 'high'

export function boundsOf(node: Node, key: readonly string[]): { low?: Cut; high?: Cut } {
  const low = bound([node], key, 0, 'low')
  const high = bound([node], key, 0, 'high')
  return { ...(low && { low }), ...(high && { high }) }
}

/** The latest moment that all rows of a filter were changed at or after. */
export function changedSince(node: Node): number | undefined {
  const times = flat([node])
    .filter(isCompared)
    .filter(({ op, path }) => ['eq', 'ge', 'gt'].includes(op) && path.join('/') === 'lastUpdated/updatedAt')
    .map(({ values }) => Number(values[0]))
  return times.length === 0 ? undefined : Math.max(...times)
}

/** The parts of a conjunction. */
function flat(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => (node.op === 'and' && !isCompared(node) ? flat(node.of) : [node]))
}

/** The tightest of the cuts that conditions which all hold give for the keys from a part on. */
function bound(nodes: readonly Node[], key: readonly string[], part: number, side: Side): Cut | undefined {
  const conditions = flat(nodes)
  const cuts = conditions.map((node) => {
    if (isCompared(node))
      return node.path.join('/') === key[part] ? cutOf(node, conditions, key, part, side) : undefined
    return node.op === 'or'
      ? widest(
          node.of.map((way) => bound([way], key, part, side)),
          side,
        )
      : undefined
  })
  const given = cuts.filter((cut) => cut !== undefined).sort(compareCuts)
  return side === 'low' ? given.at(-1) : given[0]
}

function widest(cuts: readonly (Cut | undefined)[], side: Side): Cut | undefined {
  if (cuts.includes(undefined)) return undefined
  const given = (cuts as Cut[]).toSorted(compareCuts)
  return side === 'low' ? given[0] : given.at(-1)
}

function cutOf(
  node: Compared,
  conditions: readonly Node[],
  key: readonly string[],
  part: number,
  side: Side,
): Cut | undefined {
  const [value] = node.values
  if (value === undefined) return undefined
  if (node.op === 'eq') {
    const rest = part + 1 < key.length ? bound(conditions, key, part + 1, side) : undefined
    return { parts: [value, ...(rest?.parts ?? [])], isAfter: rest?.isAfter ?? side === 'high' }
  }
  if (node.op === 'in') {
    const sorted = node.values.toSorted(compareValues)
    return { parts: [side === 'low' ? sorted[0]! : sorted.at(-1)!], isAfter: side === 'high' }
  }
  if (side === 'low' && (node.op === 'gt' || node.op === 'ge')) return { parts: [value], isAfter: node.op === 'gt' }
  if (side === 'high' && (node.op === 'lt' || node.op === 'le')) return { parts: [value], isAfter: node.op === 'le' }
  return undefined
}
