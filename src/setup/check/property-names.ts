// Checks the names of properties: those of the document, of its groups and of its lists.
import type { DocumentSetup } from '../read/document-schema.ts'
import type { SetupPath, YamlSource } from '../read/yaml-source.ts'

/** Where a filter has one of these, it is no property; `inf` and `nan` are numbers of OData. */
const WORDS: ReadonlySet<string> = new Set('and or not eq ne gt ge lt le in null true false inf nan'.split(' '))

/** `earlier`: the document as it is in force. Its names stay legal, because a later setup must still be readable. */
export function checkNames(
  { properties }: DocumentSetup,
  path: SetupPath,
  source: YamlSource,
  earlier: DocumentSetup | undefined,
): void {
  const known = new Set(earlier ? pathsOf(earlier.properties).map((names) => names.join('/')) : [])
  for (const names of pathsOf(properties)) {
    const here = [...path, 'properties', ...names]
    const name = names.at(-1) ?? ''
    if (!/^[A-Za-z][A-Za-z0-9_]{0,49}$/.test(name)) {
      source.addAtKey(here, `'${name}' is no property name: at most 50 letters, digits and _`)
    } else if (WORDS.has(name.toLowerCase()) && !known.has(names.join('/'))) {
      source.addAtKey(here, `'${name}' is a word of the query language, which cannot name a property`)
    }
  }
}

/** The paths of all properties below `properties` of the file. */
function pathsOf(properties: DocumentSetup['properties']): string[][] {
  return Object.entries(properties).flatMap(([name, property]): string[][] => {
    const inside = 'group' in property ? property.group : 'list' in property ? property.list : {}
    const kind = 'group' in property ? 'group' : 'list'
    return [[name], ...Object.keys(inside).map((inner) => [name, kind, inner])]
  })
}
