// Checks indexes: each path must lead to a column of the document's table, and no index may be listed twice.
import type { DocumentDefinition } from '../../model/document.ts'
import type { DocumentSetup, IndexesSetup, Setup } from '../file/setup-schema.ts'
import type { SetupPart, YamlSource } from '../file/yaml-source.ts'
import { type FindCommon, indexedColumn, orderIndexOf, searchedColumn } from '../items/document-indexes.ts'
import { COMPANY, keyNamesOf } from '../rules/declared-properties.ts'
import { declaredDefinition } from '../rules/external-document.ts'
import { checkReference } from './check.ts'
import { BUILT_IN_DOCUMENTS } from './documents.ts'

export function checkIndexes(setup: Setup, source: YamlSource, findCommon: FindCommon): void {
  for (const [at, document] of (setup.documents ?? []).entries()) {
    if (!source.at('documents', at).isValid) continue
    const placeOf = (section: Section) => source.at('documents', at, section)
    if (document.table === undefined) checkDocument(declaredDefinition(document), document, placeOf)
    else rejectExternalTable(document, placeOf)
  }
  const customNames = new Set((setup.documents ?? []).map(({ name }) => name))
  for (const name of new Set(SECTIONS.flatMap((section) => Object.keys(setup[section] ?? {})))) {
    const placeOf = (section: Section) => source.at(section, name)
    const listed = { indexes: setup.indexes?.[name], textIndexes: setup.textIndexes?.[name] }
    const place = placeOf(listed.indexes ? 'indexes' : 'textIndexes')
    if (customNames.has(name)) {
      place.addAtKey(`'${name}' is a document of this setup: its indexes stand with it, under documents`)
      continue
    }
    checkReference(place, 'built-in Enterprise Document', name, new Set(BUILT_IN_DOCUMENTS))
    const definition = findCommon(name)
    if (definition) checkDocument(definition, listed, placeOf)
  }
}

const SECTIONS = ['indexes', 'textIndexes'] as const
type Section = (typeof SECTIONS)[number]
type SectionPlace = (section: Section) => SetupPart

function rejectExternalTable(document: DocumentSetup, placeOf: SectionPlace): void {
  for (const section of SECTIONS) {
    if (document[section] === undefined) continue
    const message = `${document.table} is not the service's own table: its owner alone can give it an index`
    placeOf(section).addAtKey(message)
  }
}

function checkDocument(definition: DocumentDefinition, listed: IndexesSetup, placeOf: SectionPlace): void {
  checkOrderIndexes(definition, listed.indexes ?? [], placeOf('indexes'))
  const { textIndexes = [] } = listed
  for (const [at, path] of textIndexes.entries()) {
    const { problem } = searchedColumn(definition, path)
    const isTwice = textIndexes.indexOf(path) < at
    if (problem !== undefined || isTwice)
      placeOf('textIndexes')
        .at(at)
        .add(problem ?? `'${path}' is there twice`)
  }
}

function checkOrderIndexes(
  definition: DocumentDefinition,
  indexes: NonNullable<IndexesSetup['indexes']>,
  place: SetupPart,
): void {
  const seen = new Set<string>()
  for (const [at, paths] of indexes.entries()) {
    if (!checkPaths(definition, paths, place.at(at))) continue
    const { name } = orderIndexOf(definition, paths)
    if (seen.has(name)) place.at(at).add(`[${paths.join(', ')}] is there twice`)
    seen.add(name)
  }
}

/** Returns whether all paths are valid. */
function checkPaths(definition: DocumentDefinition, paths: readonly string[], place: SetupPart): boolean {
  const problems = paths.map((name, at) => {
    const found = indexedColumn(definition, name)
    if (found.problem !== undefined) return found.problem
    if (name === COMPANY) return `'${name}' stands first in every index: leave it out`
    return paths.indexOf(name) < at ? `'${name}' is there twice` : undefined
  })
  for (const [at, problem] of problems.entries()) if (problem !== undefined) place.at(at).add(problem)
  if (problems.some((problem) => problem !== undefined)) return false
  const key = keyNamesOf(definition)
  if (!paths.every((name, at) => key[at] === name)) return true
  place.add(`[${paths.join(', ')}] is the beginning of the key, which is an index already`)
  return false
}
