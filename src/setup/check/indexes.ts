// The indexes of a setup: every path must lead to a column of the document's own table, and none is asked for twice.
import type { DocumentDefinition } from '../../model/document.ts'
import { type FindCommon, indexedColumn, orderIndexOf, searchedColumn } from '../document-indexes.ts'
import { ownDefinition } from '../own-document.ts'
import type { DocumentSetup, IndexesSetup, Setup } from '../setup-schema.ts'
import type { SetupPath, YamlSource } from '../yaml-source.ts'
import { checkReference } from './check.ts'
import { BUILT_IN_DOCUMENTS } from './documents.ts'

const COMPANY = 'companyId'

export function checkIndexes(setup: Setup, source: YamlSource, findCommon: FindCommon): void {
  for (const [at, document] of (setup.documents ?? []).entries()) {
    if (!source.isSound(['documents', at])) continue
    const place = (section: Section) => ['documents', at, section]
    if (document.table === undefined) checkDocument(ownDefinition(document), document, place, source)
    else refuseForeign(document, place, source)
  }
  const own = new Set((setup.documents ?? []).map(({ name }) => name))
  for (const name of new Set(SECTIONS.flatMap((section) => Object.keys(setup[section] ?? {})))) {
    const place = (section: Section) => [section, name]
    const asked = { indexes: setup.indexes?.[name], textIndexes: setup.textIndexes?.[name] }
    const path = place(asked.indexes ? 'indexes' : 'textIndexes')
    if (own.has(name)) {
      source.addAtKey(path, `'${name}' is a document of this setup: its indexes stand with it, under documents`)
      continue
    }
    checkReference(source, path, 'built-in Enterprise Document', name, new Set(BUILT_IN_DOCUMENTS))
    const definition = findCommon(name)
    if (definition) checkDocument(definition, asked, place, source)
  }
}

const SECTIONS = ['indexes', 'textIndexes'] as const
type Section = (typeof SECTIONS)[number]
type Place = (section: Section) => SetupPath

function refuseForeign(document: DocumentSetup, place: Place, source: YamlSource): void {
  for (const section of SECTIONS) {
    if (document[section] === undefined) continue
    const message = `${document.table} is not the service's own table: its owner alone can give it an index`
    source.addAtKey(place(section), message)
  }
}

function checkDocument(definition: DocumentDefinition, asked: IndexesSetup, place: Place, source: YamlSource): void {
  checkEach(definition, asked.indexes ?? [], place('indexes'), source)
  const { textIndexes = [] } = asked
  for (const [at, path] of textIndexes.entries()) {
    const { problem } = searchedColumn(definition, path)
    const isTwice = textIndexes.indexOf(path) < at
    if (problem !== undefined || isTwice)
      source.add([...place('textIndexes'), at], problem ?? `'${path}' is there twice`)
  }
}

function checkEach(
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

/** Gives whether nothing is wrong. */
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
