// The indexes of a setup: every path must lead to a column of the document's own table, and none is asked for twice.
import type { DocumentDefinition } from '../../model/document.ts'
import { type FindCommon, indexedColumn, setupIndexOf } from '../document-indexes.ts'
import { ownDefinition } from '../own-document.ts'
import type { IndexesSetup, Setup } from '../setup-schema.ts'
import type { SetupPath, YamlSource } from '../yaml-source.ts'
import { checkReference } from './check.ts'
import { BUILT_IN_DOCUMENTS } from './documents.ts'

const COMPANY = 'companyId'

export function checkIndexes(setup: Setup, source: YamlSource, findCommon: FindCommon): void {
  for (const [at, document] of (setup.documents ?? []).entries()) {
    const path = ['documents', at, 'indexes']
    if (document.indexes === undefined) continue
    if (document.table === undefined) checkEach(ownDefinition(document), document.indexes, path, source)
    else source.addAtKey(path, `${document.table} is not the service's own table: its owner alone can give it an index`)
  }
  const own = (setup.documents ?? []).map(({ name }) => name)
  for (const [name, indexes] of Object.entries(setup.indexes ?? {})) {
    const path = ['indexes', name]
    if (own.includes(name)) {
      source.addAtKey(path, `'${name}' is a document of this setup: its indexes stand with it, under documents`)
      continue
    }
    checkReference(source, path, 'built-in Enterprise Document', name, new Set(BUILT_IN_DOCUMENTS))
    const definition = findCommon(name)
    if (definition) checkEach(definition, indexes, path, source)
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
    const { name } = setupIndexOf(definition, paths)
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
