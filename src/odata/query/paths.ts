// Paths of properties.
import type { PropertyPath } from '../../query/parse/tree.ts'
import type { Name, Scanner } from './scanner.ts'

const LIST_OPERATOR = /(?:any|all)\(/y
const COUNT = /\$count(?![\w])/y

/** Parses a path of properties, such as `supplier/name`. */
export function parsePath(scanner: Scanner): PropertyPath {
  refuseOthers(scanner)
  const first = scanner.requireName('a property')
  requirePlain(scanner, first)
  const path = pathAfter(scanner, first)
  if (scanner.sees('(')) throw scanner.unsupported('a key or options in parentheses')
  if (scanner.sees('/')) throw scanner.unsupported('any or all')
  return path
}

/** The path that begins with this name. It ends before `/any(` and `/all(`. */
export function pathAfter(scanner: Scanner, first: Name): PropertyPath {
  const names = [first]
  for (;;) {
    const { position } = scanner
    if (!scanner.take('/')) break
    if (scanner.match(LIST_OPERATOR)) {
      scanner.return(position)
      break
    }
    const start = scanner.position
    if (scanner.match(COUNT)) {
      names.push({ text: '$count', position: start })
      break
    }
    refuseOthers(scanner)
    const name = scanner.requireName('a property')
    requirePlain(scanner, name)
    names.push(name)
  }
  const positions = names.map(({ position }) => position)
  return { kind: 'property', names: names.map(({ text }) => text), position: first.position, positions, isExact: true }
}

function refuseOthers(scanner: Scanner): void {
  if (scanner.sees('$')) throw scanner.unsupported('a path with $')
  if (scanner.sees('@')) throw scanner.unsupported('an annotation in a path')
}

function requirePlain(scanner: Scanner, { text, position }: Name): void {
  if (scanner.sees('.')) throw scanner.unsupported('a qualified name', position)
  if (scanner.sees('(')) throw scanner.unsupported(`the function or key of ${text}`, position)
}
