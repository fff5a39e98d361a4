// Checks the lines of a document: the records of another one that refer to it by the first part of their key, by which
// they are found.
import { isDeepStrictEqual } from 'node:util'
import type { DocumentSetup, LinesSetup } from '../file/document-schema.ts'
import type { Setup } from '../file/setup-schema.ts'
import type { SetupPart } from '../file/yaml-source.ts'
import { isReference, keyNamesOf, linesOf } from '../rules/declared-properties.ts'
import { checkReference } from './check.ts'

export function checkLines(
  { documents = [] }: Setup,
  document: DocumentSetup,
  lines: LinesSetup,
  place: SetupPart,
): void {
  const here = place.at('items')
  checkReference(here, 'document', lines.items, new Set(documents.map(({ name }) => name)))
  const at = documents.findIndex(({ name }) => name === lines.items)
  const other = documents[at]
  const isValid = place.isValid && ['key', 'properties'].every((part) => place.source.at('documents', at, part).isValid)
  if (!other || !isValid) return
  const problem = problemOfItems(documents, document, lines, other)
  if (problem === undefined) checkBy(document, lines.by, other, place.at('by'))
  else here.add(problem)
}

/** What is wrong with a document as the lines of another one. */
function problemOfItems(
  documents: readonly DocumentSetup[],
  document: DocumentSetup,
  lines: LinesSetup,
  other: DocumentSetup,
): string | undefined {
  if (other.table !== undefined) return `${other.name} is on a table of another program, which is only read`
  if (other === document) return 'the lines of a document are records of another one'
  if (lines.with === 'cascade' && other.state && !document.state)
    return `${other.name} are closed and stay: they cannot be removed with a record of ${document.name}`
  const [inside] = linesOf(other)
  if (inside) return `${other.name} has lines itself, its ${inside[0]}: lines have no lines`
  for (const one of documents) {
    const first = linesOf(one).find(([, { items }]) => items === other.name)
    if (first) return first[1] === lines ? undefined : `the records of ${other.name} are the ${first[0]} of ${one.name}`
  }
  return undefined
}

/** The key of the document, which stands at the start of that of the lines. */
function checkBy(document: DocumentSetup, by: readonly string[], lines: DocumentSetup, place: SetupPart): void {
  const [own, names] = [keyNamesOf(document), keyNamesOf(lines)]
  if (by.length !== own.length) {
    place.add(`the key of ${document.name} is ${own.join(', ')}: expected as many properties`)
    return
  }
  const key = `the key of ${lines.name}, which is ${names.join(', ')}`
  const wrong = by.findIndex((name, at) => name !== names[at])
  if (names.length <= by.length) place.add(`nothing in ${key}, tells one line from another`)
  else if (wrong >= 0) place.at(wrong).add(`lines are found by the first part of ${key}: expected '${names[wrong]}'`)
  else if (!refersBy(lines, document.name, by))
    place.add(`${lines.name} has no reference to ${document.name} with the key ${by.join(', ')}`)
}

function refersBy({ properties }: DocumentSetup, document: string, by: readonly string[]): boolean {
  return Object.values(properties).some(
    (one) => isReference(one) && one.reference === document && isDeepStrictEqual(one.key, by),
  )
}
