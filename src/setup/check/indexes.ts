// Checks indexes: each path must lead to a column of the document's table, and no index may be listed twice.
import type { DocumentDefinition } from '../../model/document.ts'
import type { DocumentSetup, IndexesSetup, Setup } from '../file/setup-schema.ts'
import type { SetupPath, YamlSource } from '../file/yaml-source.ts'
import { type FindCommon, indexedColumn, orderIndexOf, searchedColumn } from '../items/document-indexes.ts'
import { declaredDefinition } from '../rules/external-document.ts'
import { checkReference } from './check.ts'
import { BUILT_IN_DOCUMENTS } from './documents.ts'

const COMPANY = 'companyId'

export function checkIndexes(setup: Setup, source: YamlSource, findCommon: FindCommon): void {
  for (const [at, document] of (setup.documents ?? []).entries()) {
    if (!source.isValid(['documents', at])) continue
    const pathOf = (section: Section) => ['documents', at, section]
    if (document.table === undefined) checkDocument(declaredDefinition(document), document, pathOf, source)
    else rejectExternalTable(document, pathOf, source)
  }
  const customNames = new Set((setup.documents ?? []).map(({ name }) => name))
  for (const name of new Set(SECTIONS.flatMap((section) => Object.keys(setup[section] ?? {})))) {
    const pathOf = (section: Section) => [section, name]
    const listed = { indexes: setup.indexes?.[name], textIndexes: setup.textIndexes?.[name] }
    const path = pathOf(listed.indexes ? 'indexes' : 'textIndexes')
    if (customNames.has(name)) {
      source.addAtKey(path, `'${name}' is a document of this setup: its indexes stand with it, under documents`)
      continue
    }
    checkReference(source, path, 'built-in Enterprise Document', name, new Set(BUILT_IN_DOCUMENTS))
    const definition = findCommon(name)
    if (definition) checkDocument(definition, listed, pathOf, source)
  }
}

const SECTIONS = ['indexes', 'textIndexes'] as const
type Section = (typeof SECTIONS)[number]
type SectionPath = (section: Section) => SetupPath

function rejectExternalTable(document: DocumentSetup, pathOf: SectionPath, source: YamlSource): void {
  for (const section of SECTIONS) {
    if (document[section] === undefined) continue
    const message = `${document.table} is not the service's own table: its owner alone can give it an index`
    source.addAtKey(pathOf(section), message)
  }
}

function checkDocument(
  definition: DocumentDefinition,
  listed: IndexesSetup,
  pathOf: SectionPath,
  source: YamlSource,
): void {
  checkOrderIndexes(definition, listed.indexes ?? [], pathOf('indexes'), source)
  const { textIndexes = [] } = listed
  for (const [at, path] of textIndexes.entries()) {
    const { problem } = searchedColumn(definition, path)
    const isTwice = textIndexes.indexOf(path) < at
    if (problem !== undefined || isTwice)
      source.add([...pathOf('textIndexes'), at], problem ?? `'${path}' is there twice`)
  }
}

function checkOrderIndexes(
  definition: DocumentDefinition,
  indexes: NonNullable<IndexesSetup['indexes']>,
  path: SetupPath,
  source: YamlSource,
): void {
  const seen = new Set<string>()
  for (const [at, paths] of indexes.entries()) {
    if (!checkPaths(definition, paths, [...path, at], source)) continue
    const { name } = orderIndexOf(definition, paths)
    if (seen.has(name)) source.add([...path, at], `[${paths.join(', ')}] is there twice`)
    seen.add(name)
  }
}

/** Returns whether all paths are valid. */
function checkPaths(
  definition: DocumentDefinition,
  paths: readonly string[],
  path: SetupPath,
  source: YamlSource,
): boolean {
  const problems = paths.map((name, at) => {
    const found = indexedColumn(definition, name)
    if (found.problem !== undefined) return found.problem
    if (name === COMPANY) return `'${name}' stands first in every index: leave it out`
    return paths.indexOf(name) < at ? `'${name}' is there twice` : undefined
  })
  for (const [at, problem] of problems.entries()) if (problem !== undefined) source.add([...path, at], problem)
  if (problems.some((problem) => problem !== undefined)) return false
  const key = definition.key.filter((name) => name !== COMPANY)
  if (!paths.every((name, at) => key[at] === name)) return true
  source.add(path, `[${paths.join(', ')}] is the beginning of the key, which is an index already`)
  return false
}
