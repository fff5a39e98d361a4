// The rows that a person has marked: by their keys, so that they stay marked in any order, as long as the filter is the
// same.
import { useState } from 'react'
import { filter as literal } from '#client'
import { notify } from '../../parts/notices.tsx'
import type { DocumentInfo, FieldInfo } from '../../service/metadata.ts'
import { recordKeyText } from '../../service/record-key.ts'
import { t } from '../../words/words.ts'
import { keyFields, keyOf, type Row } from './rows.ts'

export const MOST_MARKED = 500
/** As `MAX_CHARACTERS` and `MAX_NODES` of the service have it, with room for what is around. */
const MOST_CHARACTERS = 7_500
const MOST_PARTS = 450

export interface Marks {
  readonly count: number
  /** Rows without a key cannot be marked. */
  readonly isPossible: boolean
  readonly has: (row: Row) => boolean
  readonly set: (rows: readonly Row[], isMarked: boolean) => void
  readonly clear: () => void
  /** Only they are so. */
  readonly filter: string
}

type Keys = ReadonlyMap<string, readonly string[]>
const NONE: Keys = new Map()

export function useMarks(document: DocumentInfo, filter: string): Marks {
  const [marked, setMarked] = useState({ filter, keys: NONE })
  const keys = marked.filter === filter ? marked.keys : NONE
  const fields = keyFields(document)
  const set = (rows: readonly Row[], isMarked: boolean) => {
    const next = new Map(keys)
    for (const row of rows) {
      const key = keyOf(fields, row)
      if (isMarked) next.set(recordKeyText(key), key)
      else next.delete(recordKeyText(key))
    }
    if (filterOfKeys(fields, [...next.values()]) === undefined) tellTooMany()
    else setMarked({ filter, keys: next })
  }
  return {
    count: keys.size,
    isPossible: fields.length > 0,
    has: (row) => keys.has(recordKeyText(keyOf(fields, row))),
    set,
    clear: () => setMarked({ filter, keys: NONE }),
    filter: filterOfKeys(fields, [...keys.values()]) ?? '',
  }
}

export const tellTooMany = () => notify(t('So many rows cannot be marked. Let the filter leave them.'))

/** Undefined where the service takes no filter that is as long. */
export function filterOfKeys(
  fields: readonly Pick<FieldInfo, 'path' | 'kind'>[],
  keys: readonly (readonly string[])[],
): string | undefined {
  const text = (at: number, value = '') => (fields[at]?.kind === 'text' ? String(literal`${value}`) : value)
  const last = fields.length - 1
  const groups = Map.groupBy(keys, (key) => JSON.stringify(key.slice(0, -1)))
  const terms = [...groups.values()].map((group) => {
    const same = fields.slice(0, -1).map(({ path }, at) => `${path} eq ${text(at, group[0]?.[at])}`)
    const values = group.map((key) => text(last, key[last]))
    return [...same, `${fields[last]?.path} in (${values.join(',')})`].join(' and ')
  })
  const filter = terms.length === 1 ? (terms[0] ?? '') : terms.map((term) => `(${term})`).join(' or ')
  const parts = terms.length * 3 * fields.length
  return keys.length > MOST_MARKED || parts > MOST_PARTS || filter.length > MOST_CHARACTERS ? undefined : filter
}
