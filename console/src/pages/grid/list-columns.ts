// Members of the items of lists as columns, those of associated records as well: a cell has the texts of all items.
import { type DocumentInfo, documentOf, type FieldInfo, type RelationInfo } from '../../service/metadata.ts'
import { memberAt, selectItem, selectOf, valueIn } from '../../service/question.ts'

export interface Column extends FieldInfo {
  /** The list, and where the member stands in each of its items. */
  readonly within?: {
    readonly list: string
    readonly member: FieldInfo
    /** That the items of the list may be of. */
    readonly relations: readonly RelationInfo[]
  }
}

/** All that may be a column. The company of the page, which all rows have, comes last. */
export const allColumns = (document: DocumentInfo): readonly Column[] =>
  columnsIn(document).toSorted((one, other) => Number(isCompany(one)) - Number(isCompany(other)))

const isCompany = ({ names, within }: Column): boolean => !within && names.at(-1) === 'companyId'

const columnsIn = (document: DocumentInfo): readonly Column[] => [
  ...document.fields,
  ...document.lists.flatMap(({ path: list, titles, schema }) =>
    documentOf(list, schema).fields.map((member) => ({
      ...member,
      path: `${list}/${member.path}`,
      names: [...list.split('/'), ...member.names],
      titles: [...titles, ...member.titles],
      isFilterable: false,
      isKey: false,
      isOnRequest: true,
      within: { list, member, relations: schema['x-erp-relations'] ?? [] },
    })),
  ),
]

/** A list is selected once, with all of its members that are columns. */
export function selectFor(document: DocumentInfo, columns: readonly Column[]): string {
  const plain = columns.filter(({ within }) => !within)
  const lists = Map.groupBy(
    columns.flatMap(({ within }) => within ?? []),
    ({ list }) => list,
  )
  const items = [...lists].map(([list, all]) => `${list}(${all.map(({ member }) => selectItem(member)).join(',')})`)
  return [selectOf(document, plain), ...items].join(',')
}

export interface CellValue {
  readonly value: unknown
  /** What a code means. */
  readonly description: string | undefined
}

const NOTHING: CellValue = { value: undefined, description: undefined }

/** One value, or that of each item. */
export function valuesOf(row: unknown, column: Column): readonly CellValue[] {
  const { within } = column
  if (!within) return [valueIn(row, column)]
  const items = memberAt(row, within.list.split('/'))
  return Array.isArray(items) && items.length > 0 ? items.map((item) => valueIn(item, within.member)) : [NOTHING]
}
