// What every record needs beyond single fields, as the setup says: a contact point of the general type, and relations.
import type { FilePreview } from '../../service/imports.ts'
import { sourceOf, type ValueSource } from '../../service/legal-values.ts'
import { type DocumentInfo, describedAt, type ListInfo } from '../../service/metadata.ts'
import type { CellFinding } from './findings.ts'
import { type Mapping, type Origin, pointerOf, type Table } from './table.ts'

/** The suggestions of the service, with the constants of what a new record begins with. */
export function firstMapping(document: DocumentInfo, { columns }: FilePreview, { headings }: Table): Mapping {
  const suggested = columns.filter(({ heading }) => headings.includes(heading))
  return new Map<string, Origin>([
    ...document.lists.flatMap(firstConstants),
    ...suggested.map(({ path, heading }) => [path, { heading }] as const),
  ])
}

function firstConstants(list: ListInfo): [path: string, origin: { readonly constant: string }][] {
  const first = Object.entries(list.schema['x-erp-firstItem'] ?? {})
  const relations = mandatoryOf(list)
  return [
    ...first.map(([name, constant]): [string, { constant: string }] => [itemPath(list, 0, name), { constant }]),
    ...relations.map(({ relationId }, at): [string, { constant: string }] => [
      itemPath(list, at, 'relationId'),
      { constant: relationId },
    ]),
  ]
}

/** `common`: what was wrong with every row shows what else is needed. */
export function neededPaths(
  document: DocumentInfo,
  { columns }: FilePreview,
  common: readonly CellFinding[],
): readonly string[] {
  const relations = document.lists.flatMap((list) =>
    mandatoryOf(list).map((_relation, at) => itemPath(list, at, 'relatedValue')),
  )
  const needed = columns.filter(({ isRequired }) => isRequired).map(({ path }) => path)
  const found = common.filter(({ path, heading }) => heading === undefined && columns.some((one) => one.path === path))
  return [...new Set([...needed, ...relations, ...found.map(({ path }) => path)])]
}

const mandatoryOf = ({ schema }: ListInfo) => (schema['x-erp-relations'] ?? []).filter(({ isMandatory }) => isMandatory)

const itemPath = ({ path }: ListInfo, at: number, name: string): string =>
  `${path.replaceAll('/', '.')}.${at + 1}.${name}`

/** Where the legal values of a property are: those of a related value depend on its relation. */
export function sourceAt(document: DocumentInfo, mapping: Mapping, path: string): ValueSource | undefined {
  const relation = relationAt(document, mapping, path)
  if (relation) return { attributeId: relation.attributeId }
  return sourceOf(describedAt(document, pointerOf(path)))
}

/** What people call a property; a related value by its relation. */
export function titlesAt(document: DocumentInfo, mapping: Mapping, path: string): readonly string[] {
  const relation = relationAt(document, mapping, path)
  return relation ? [relation.title] : describedAt(document, pointerOf(path)).titles
}

function relationAt(document: DocumentInfo, mapping: Mapping, path: string) {
  if (!path.endsWith('.relatedValue')) return undefined
  const origin = mapping.get(path.replace(/relatedValue$/, 'relationId'))
  const list = document.lists.find((one) => path.startsWith(`${one.path}.`))
  return list?.schema['x-erp-relations']?.find(
    ({ relationId }) => origin && 'constant' in origin && origin.constant === relationId,
  )
}
