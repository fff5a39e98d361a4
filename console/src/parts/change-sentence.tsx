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

export function ChangeSentence({ change: { userId, operation }, changed, record }: ChangeSentenceProps) {
  const { user, name = user } = useSession()
  const values = {
    user: <ShownText text={userId === user ? name : userId} />,
    record: record ?? t('this record'),
    fields: <bdi>{listText(changed)}</bdi>,
  }
  if (operation === 'create') return sentence('{{user}} created {{record}}', values)
  if (operation === 'delete') return sentence('{{user}} removed {{record}}', values)
  if (operation !== 'update') return sentence('{{user}}: {{operation}} of {{record}}', { ...values, operation })
  if (changed.length > NAMED)
    return record === undefined
      ? sentence('{{user}} changed {{count}} fields', { ...values, count: changed.length })
      : sentence('{{user}} changed {{count}} fields of {{record}}', { ...values, count: changed.length })
  if (changed.length === 0) return sentence('{{user}} changed {{record}}', values)
  return record === undefined
    ? sentence('{{user}} changed {{fields}}', values)
    : sentence('{{user}} changed {{fields}} of {{record}}', values)
}

/** What was done, in a word. */
export function changeText(operation: string): string {
  if (operation === 'create') return t('Created')
  if (operation === 'delete') return t('Removed')
  return operation === 'update' ? t('Changed') : operation
}
