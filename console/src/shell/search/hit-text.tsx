// What is said of a record that was found: its name, what matches, and what tells it from others.
import { useQuery } from '@tanstack/react-query'
import type { SearchHit, SearchMatch, SearchValue } from '#client'
import { amountText, dateText, numberText } from '../../parts/field-value.tsx'
import { shownText } from '../../parts/shown-text.tsx'
import { documentTypesQuery } from '../../service/archive.ts'
import { useAttributes } from '../../service/dimensions.ts'
import { useCompany, useMay } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import classes from './search.module.css'

/** What stands beside the name on one line. */
const SHOWN = 4

export function HitTitle({ hit }: { readonly hit: SearchHit }) {
  const match = hit.matches.find(({ value }) => value === hit.title)
  return <bdi>{match ? <Marked {...match} /> : shownText(hit.title)}</bdi>
}

export function HitKey({ hit }: { readonly hit: SearchHit }) {
  const isMatch = (value: string | number) => hit.matches.some((match) => match.value === value)
  // A zero is a start that is open.
  const parts = Object.entries(hit.key).filter(([, value], at) => at === 0 || value !== 0)
  return (
    <bdi className={classes.key}>
      {parts.map(([name, value], at) => (
        <span key={name}>
          {at > 0 && ' / '}
          {isMatch(value) ? <mark>{shownText(String(value))}</mark> : shownText(String(value))}
        </span>
      ))}
    </bdi>
  )
}

/** What matches, where neither name nor key does, then details. */
export function HitDetails({ hit }: { readonly hit: SearchHit }) {
  const meaningOf = useMeanings(hit)
  const isSeen = hit.matches.some(({ property, value }) => value === hit.title || property in hit.key)
  const matches = isSeen ? [] : hit.matches
  const matched = new Set(matches.map(({ property }) => property))
  const others = hit.details.filter(({ property }) => !matched.has(property)).slice(0, SHOWN - matches.length)
  if (matches.length + others.length === 0) return null
  return (
    <span className={classes.details}>
      {matches.map((match) => (
        <span key={match.property}>
          {match.property === 'fileContent' ? (
            t('in the text of the file')
          ) : (
            <>
              {match.title}{' '}
              <bdi>
                <Marked {...match} />
              </bdi>
            </>
          )}
        </span>
      ))}
      {others.map((detail) => (
        <bdi key={detail.property} title={detail.title}>
          {meaningOf(detail) ?? writtenAs(detail)}
        </bdi>
      ))}
    </span>
  )
}

/** What a detail of a built-in record says to programs alone: the name of an attribute, the code of a type of files. */
function useMeanings({ key }: SearchHit): (detail: SearchValue) => string | undefined {
  const { id: company } = useCompany()
  const may = useMay()
  const attributes = useAttributes()
  const { data: types = [] } = useQuery({ ...documentTypesQuery(company), enabled: may('documents:read') })
  return ({ property, value }) => {
    if (property === 'attributeName') return attributes.get(String(key.attributeId))?.description
    return property === 'docType' ? types.find(({ id }) => id === value)?.description : undefined
  }
}

function writtenAs({ type, value }: SearchValue): string {
  const text = String(value)
  if (type === 'decimal') return amountText(text)
  if (type === 'number') return numberText(text)
  return type === 'date-time' ? dateText(text) : shownText(text)
}

function Marked(match: SearchMatch) {
  const { value, ranges } = match
  if (ranges.length === 0) return <mark>{writtenAs(match)}</mark>
  const text = String(value)
  return (
    <>
      {ranges.map(([start, end], at) => (
        <span key={start}>
          {shownText(text.slice(ranges[at - 1]?.[1] ?? 0, start))}
          <mark>{shownText(text.slice(start, end))}</mark>
        </span>
      ))}
      {shownText(text.slice(ranges.at(-1)?.[1] ?? 0))}
    </>
  )
}
