// Which records refer to one, as the descriptions of their documents say it: by its key, as a value of an attribute or
// of a value list, and by relations.
import { attributeIdPath, attributesIn, isDimension } from '../../service/dimensions.ts'
import { type DocumentInfo, type FieldInfo, isOwn, type RelationInfo } from '../../service/metadata.ts'
import { valueIn } from '../../service/question.ts'
import { type Condition, filterOf, isFilterable } from '../grid/filter/conditions.ts'
import { allColumns, type Column } from '../grid/list-columns.ts'
import { keyFields, type Row } from '../grid/rows.ts'

/** What a record is to those that refer to it. */
export interface Subject {
  readonly document: DocumentInfo
  /** Each part of its key without the company, by its path. */
  readonly key: ReadonlyMap<string, string>
  /** By which it is referred to alone; empty where the whole key is needed. */
  readonly code: string
  /** The attributes that `code` is a value of. */
  readonly attributeIds: ReadonlySet<string>
  /** The value list that `code` stands in. */
  readonly valueList: string | undefined
}

/** Records of one document that refer to a record in one way. */
export interface Referring {
  readonly document: DocumentInfo
  /** What the reference is called. */
  readonly title: string
  readonly filter: string
}

export function subjectOf(document: DocumentInfo, row: Row): Subject {
  const key = new Map(keyFields(document).map((field) => [field.path, String(valueIn(row, field).value ?? '')]))
  const known = { document, key, valueList: undefined, attributeIds: new Set<string>() }
  if (document.name === 'attribute-values') {
    return { ...known, code: key.get('attributeValue') ?? '', attributeIds: new Set([key.get('attributeId') ?? '']) }
  }
  if (document.name === 'value-list') {
    return { ...known, code: key.get('description') ?? '', valueList: key.get('name') }
  }
  const [first, ...others] = keyFields(document)
  if (!first || others.length > 0) return { ...known, code: '' }
  const ids = [first.schema['x-erp-attribute'], document.record['x-erp-relation']].map((one) => one?.attributeId || [])
  return { ...known, code: key.get(first.path) ?? '', attributeIds: new Set(ids.flat()) }
}

/** More dimensions than these are asked for those attributes alone that the newest records use them for. */
const MOST_DIMENSIONS = 2

/** Whether `newest` says of which dimensions records are asked. */
export const hasManyDimensions = ({ fields }: DocumentInfo): boolean =>
  fields.filter(isDimension).length > MOST_DIMENSIONS

/** Its rows are the relations that records have in a list of theirs, and that values have beside them. */
const RELATIONS = 'attribute-relations'

/** `newest`: of a document with many dimensions. */
export function referringIn(document: DocumentInfo, subject: Subject, newest: readonly unknown[]): Referring[] {
  const areItsLines = subject.document.lists.some(({ schema }) => schema['x-erp-document'] === document.name)
  if (document.name === RELATIONS || areItsLines) return []
  const columns = allColumns(document)
  const isItself = (column: Column) => column.isKey && document.name === subject.document.name
  const asked = columns.filter(
    (column) => isFilterable(column) && isOwn(column) && !isItself(column) && !isOfOthers(document, column),
  )
  // What names the record by its key has it as the value of an attribute once more, if at all.
  const byKey = asked.filter((column) => isByKey(column, subject))
  const found = (byKey.length > 0 ? byKey : asked).flatMap((column) => waysOf(document, column, subject, newest))
  return [...found, ...byWholeKey(document, columns, subject)].map(({ title, conditions }) => ({
    document,
    title,
    filter: filterOf(conditions, columns),
  }))
}

interface Way {
  readonly title: string
  readonly conditions: readonly Condition[]
}

/** Lines are records of a document of their own, as associated records are. */
function isOfOthers({ lists }: DocumentInfo, { within }: Column): boolean {
  const list = lists.find(({ path }) => path === within?.list)
  return list !== undefined && (list.association !== undefined || list.schema['x-erp-document'] !== undefined)
}

const is = (path: string, value: string): Condition => ({ path, operator: 'is', values: [value] })

function waysOf(document: DocumentInfo, column: Column, subject: Subject, newest: readonly unknown[]): Way[] {
  const { code, attributeIds } = subject
  if (code === '') return []
  const way = (...further: readonly Condition[]): Way[] => [
    { title: column.titles.join(' / '), conditions: [...further, is(column.path, code)] },
  ]
  if (isReferring(column, subject)) return way()
  const [attributeId = ''] = attributeIds
  const idPath = attributeIdPath(column)
  if (idPath !== undefined && !column.within) {
    const isUsed = !hasManyDimensions(document) || attributesIn(newest, column).has(attributeId)
    return attributeId !== '' && isUsed ? way(is(idPath, attributeId)) : []
  }
  return relationsIn(column)
    .filter((relation) => attributeIds.has(relation.attributeId))
    .map(({ title, relationId }) => {
      const of = { path: `${column.within?.list}/relationId`, value: relationId }
      return { title, conditions: [{ ...is(column.path, code), of }] }
    })
}

function isByKey({ schema }: FieldInfo, { document, key }: Subject): boolean {
  const reference = schema['x-erp-reference']
  return reference?.document === document.name && key.has(reference.key)
}

function isReferring(field: FieldInfo, subject: Subject): boolean {
  const { 'x-erp-valueList': list, 'x-erp-attribute': attribute } = field.schema
  const { attributeIds, valueList } = subject
  if (isByKey(field, subject)) return true
  if (list) return list.valueList === valueList
  return attribute !== undefined && attributeIds.has(attribute.attributeId)
}

/** Those that lead to the values in the column. */
const relationsIn = ({ within }: Column): readonly RelationInfo[] =>
  within?.member.path === 'relatedValue' ? within.relations : []

/** A record with several parts in its key is referred to by all of them, as an associated record. */
function byWholeKey({ fields }: DocumentInfo, columns: readonly Column[], { document, key }: Subject): Way[] {
  if (key.size < 2) return []
  const associated = fields.filter(({ association }) => association?.document === document.name)
  return [...Map.groupBy(associated, ({ association }) => association?.names.join('/') ?? '')].flatMap(
    ([path, all]) => {
      const conditions = [...key].map(([name, value]) => is(`${path}/${name}`, value))
      const isWhole = conditions.every((one) =>
        columns.some((column) => column.path === one.path && isFilterable(column)),
      )
      const title = all[0]?.titles[(all[0].association?.names.length ?? 1) - 1] ?? ''
      return isWhole ? [{ title, conditions }] : []
    },
  )
}
