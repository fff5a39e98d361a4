// What rows can be grouped by: the owners of the values of an attribute, the values that they have relations with, or
// the first digit of numbers that are built so, as those of accounts are.
import { useQuery } from '@tanstack/react-query'
import { filter } from '#client'
import { fetchJson } from '../../service/client.ts'
import { attributeIdPath, useAttributes } from '../../service/dimensions.ts'
import type { FieldInfo } from '../../service/metadata.ts'
import { addressOf } from '../../service/question.ts'
import { useCompany, useMay } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import type { GroupOf, Pivot } from './pivot.ts'
import { NONE } from './view.ts'

export interface Grouping {
  readonly id: string
  readonly title: string
  readonly groupOf: GroupOf
}

/** More are no groups that are read. */
const MOST_VALUES = 10_000
const KEPT_MS = 300_000
const FIRST_DIGIT = 'digit'
const ATTRIBUTE = 'attribute'

interface Member {
  readonly value: string
  /** The attribute that the group is a value of. */
  readonly attributeId: string
  readonly group: string
  readonly text: string
}

/** The groupings that the rows can have, and the one that is chosen. */
export function useGroupings(rows: FieldInfo, pivot: Pivot | undefined, chosen: string) {
  const attributes = useAttributes()
  const used = new Set(pivot?.rows.map(({ value }) => value.attributeId))
  const ofRows = attributeIdPath(rows) === undefined ? rows.schema['x-erp-attribute']?.attributeId : onlyOf(used)
  const members = useMembers(ofRows ?? '')
  const titleOf = (attributeId: string) => attributes.get(attributeId)?.description || attributeId
  const offered = [
    ...(used.size > 1 ? [byAttribute(titleOf)] : []),
    ...[...Map.groupBy(members, ({ attributeId }) => attributeId)].map(([attributeId, all]) =>
      byMembers(attributeId, titleOf(attributeId), all),
    ),
    ...(isByDigits(pivot) ? [byFirstDigit] : []),
  ]
  const named = offered.find(({ id }) => id === chosen)
  return { offered, grouping: chosen === NONE ? undefined : (named ?? offered.find((one) => fits(one, pivot))) }
}

const onlyOf = (ids: ReadonlySet<string>): string | undefined =>
  [...ids].filter((id) => id !== '').length === 1 ? [...ids].find((id) => id !== '') : undefined

/** Whether it says more than no groups at all: each row is in one, and there are few of them. */
function fits({ groupOf }: Grouping, pivot: Pivot | undefined): boolean {
  const groups = pivot?.rows.filter(({ value }) => value.code !== '').map(({ value }) => groupOf(value)?.key) ?? []
  const different = new Set(groups).size
  return !groups.includes(undefined) && different > 1 && different * 2 <= groups.length
}

const byAttribute = (titleOf: (attributeId: string) => string): Grouping => ({
  id: ATTRIBUTE,
  title: t('By attribute'),
  groupOf: ({ attributeId }) => (attributeId === '' ? undefined : { key: attributeId, title: titleOf(attributeId) }),
})

/** A value with several groups is in none: its amount belongs to no single one. */
function byMembers(attributeId: string, title: string, members: readonly Member[]): Grouping {
  const groups = Map.groupBy(members, ({ value }) => value)
  return {
    id: attributeId,
    title,
    groupOf: ({ code }) => {
      const [first, second] = groups.get(code) ?? []
      return first && !second ? { key: first.group, title: `${first.group} ${first.text}`.trim() } : undefined
    },
  }
}

const isByDigits = (pivot: Pivot | undefined): boolean => {
  const codes = pivot?.rows.map(({ value }) => value.code).filter((code) => code !== '') ?? []
  return codes.length > 0 && codes.every((code) => /^\d{3,}$/.test(code) && code.length === codes[0]?.length)
}

const byFirstDigit: Grouping = {
  id: FIRST_DIGIT,
  get title() {
    return t('First digit')
  },
  groupOf: ({ code }) => {
    const [digit = ''] = code
    const below = code.length - 1
    return digit === '' ? undefined : { key: digit, title: `${digit}${'0'.repeat(below)}–${digit}${'9'.repeat(below)}` }
  },
}

/** Whose values own the values of an attribute, and with whose values they have relations today. */
function useMembers(attributeId: string): readonly Member[] {
  const { id: company } = useCompany()
  const may = useMay()
  const ask = (document: string, select: string, more = '') =>
    may(`objects:read/${document}`)
      ? fetchJson<Record<string, string>[]>(
          addressOf(company, {
            document,
            select,
            filter: `attributeId eq ${filter`${attributeId}`}${more}`,
            ...(document === 'attribute-relations' ? { validAt: new Date().toISOString().slice(0, 10) } : {}),
            limit: MOST_VALUES,
          }),
        )
      : []
  const { data = [] } = useQuery({
    queryKey: [company, 'row-groups', attributeId],
    enabled: attributeId !== '',
    staleTime: KEPT_MS,
    queryFn: async () => {
      const [owned, related] = await Promise.all([
        ask('attribute-values', 'attributeValue,ownerAttributeId,owner[C;T]', " and owner ne ''"),
        ask('attribute-relations', 'attributeValue,relatedAttributeId,relationValue[C;T]'),
      ])
      return [
        ...owned.map((row) => memberOf(row, 'ownerAttributeId', 'owner')),
        ...related.map((row) => memberOf(row, 'relatedAttributeId', 'relationValue')),
      ]
    },
  })
  return data
}

const memberOf = (row: Record<string, string>, attribute: string, group: string): Member => ({
  value: row.attributeValue ?? '',
  attributeId: row[attribute] ?? '',
  group: row[group] ?? '',
  text: row[`${group}(description)`] ?? '',
})
