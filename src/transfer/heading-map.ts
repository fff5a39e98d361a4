// The mapping file of an import: YAML, column heading -> property path; an empty path leaves the column out.
import { foldName } from '../base/text.ts'
import type { Properties } from '../model/document.ts'
import { type SetupProblem, YamlSource } from '../setup/file/yaml-source.ts'
import { csvColumns, type HeadingMap } from './rows/csv-columns.ts'
import { FileError } from './rows/text-lines.ts'

export function readHeadingMap(
  text: string,
  properties: Properties,
): { readonly map: HeadingMap; readonly problems: readonly SetupProblem[] } {
  const source = new YamlSource(text)
  const map = new Map<string, string>()
  const { data } = source
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    if (source.problems.length === 0) source.add([], 'expected lines such as `Customer no.: customerId`')
    return { map, problems: source.sorted() }
  }
  for (const [heading, path] of Object.entries(data)) {
    if (path !== null && typeof path !== 'string') source.add([heading], 'expected the path of a property')
    else if (path) addProblem(source, heading, path, properties)
    map.set(foldName(heading.trim()), typeof path === 'string' ? path : '')
  }
  return { map, problems: source.sorted() }
}

function addProblem(source: YamlSource, heading: string, path: string, properties: Properties): void {
  try {
    csvColumns(properties, [path])
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    source.add([heading], error.message.replace('in the first line ', ''))
  }
}
