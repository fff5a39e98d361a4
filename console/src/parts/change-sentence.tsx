// What somebody has done to a record, as a sentence: `Anna changed Bank account of Solheim Slakteri AS`.
import type { ReactNode } from 'react'
import { useSession } from '../service/session.ts'
import { sentence } from '../words/sentence.tsx'
import { listText, t } from '../words/words.ts'
import { ShownText } from './shown-text.tsx'

/** More members are counted. */
const NAMED = 3

interface ChangeSentenceProps {
  readonly change: { readonly userId: string; readonly operation: string }
  /** The members that were changed, as people call them; empty where that is not known. */
  readonly changed: readonly string[]
  /** Absent where the page is that of the record. */
  readonly record?: ReactNode
}

/** The audit names the act, the timeline and the feed what became of it for this reader. */
const OUTCOMES: Readonly<Record<string, string>> = { create: 'created', update: 'updated', delete: 'deleted' }

export function ChangeSentence({ change: { userId, operation }, changed, record }: ChangeSentenceProps) {
  const { user, name = user } = useSession()
  const values = {
    user: <ShownText text={userId === user ? name : userId} />,
    record: record ?? t('this record'),
    fields: <bdi>{listText(changed)}</bdi>,
  }
  switch (OUTCOMES[operation] ?? operation) {
    case 'created':
      return sentence('{{user}} created {{record}}', values)
    case 'deleted':
      return sentence('{{user}} removed {{record}}', values)
    case 'entered':
      return sentence('{{user}} changed {{record}}, which you see since then', values)
    case 'left':
      return sentence('{{user}} changed {{record}}, which you no longer see since then', values)
  }
  const isOwnPage = record === undefined
  if (changed.length === 0) return sentence('{{user}} changed {{record}}', values)
  if (changed.length <= NAMED)
    return isOwnPage
      ? sentence('{{user}} changed {{fields}}', values)
      : sentence('{{user}} changed {{fields}} of {{record}}', values)
  return isOwnPage
    ? sentence('{{user}} changed {{count}} fields', { ...values, count: changed.length })
    : sentence('{{user}} changed {{count}} fields of {{record}}', { ...values, count: changed.length })
}

/** What became of a record, in a word. */
export function changeText(operation: string): string {
  switch (OUTCOMES[operation] ?? operation) {
    case 'created':
      return t('Created')
    case 'deleted':
      return t('Removed')
    case 'entered':
      return t('Came into view')
    case 'left':
      return t('Left the view')
    default:
      return t('Changed')
  }
}
