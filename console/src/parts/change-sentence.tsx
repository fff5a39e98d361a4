// What somebody has done to a record, as a sentence: `Anna changed Bank account`.
import { type DocumentInfo, titleAt } from '../service/metadata.ts'
import type { RecordChangeEntry } from '../service/records.ts'
import { useSession } from '../service/session.ts'
import { sentence } from '../words/sentence.tsx'
import { listText, t } from '../words/words.ts'
import { ShownText } from './shown-text.tsx'

/** More fields are counted. */
const NAMED = 3

interface ChangeSentenceProps {
  readonly change: Pick<RecordChangeEntry, 'userId' | 'operation' | 'changes'>
  /** Whose record it is; undefined until it is known. */
  readonly document: DocumentInfo | undefined
}

export function ChangeSentence({ change: { userId, operation, changes }, document }: ChangeSentenceProps) {
  const shown = <UserName id={userId} />
  switch (operation) {
    case 'created':
      return sentence('{{user}} created this record', { user: shown })
    case 'deleted':
      return sentence('{{user}} removed this record', { user: shown })
    case 'entered':
      return sentence('{{user}} changed this record, which you see since then', { user: shown })
    case 'left':
      return sentence('{{user}} changed this record, which you no longer see since then', { user: shown })
  }
  const paths = changes.map(({ path }) => path).filter((path) => path !== '')
  if (!document || paths.length === 0) return sentence('{{user}} changed this record', { user: shown })
  if (paths.length > NAMED) return sentence('{{user}} changed {{count}} fields', { user: shown, count: paths.length })
  const fields = <bdi>{listText(paths.map((path) => titleAt(document, path)))}</bdi>
  return sentence('{{user}} changed {{fields}}', { user: shown, fields })
}

/** Who has signed in has a name. */
export function UserName({ id }: { readonly id: string }) {
  const { user, name = user } = useSession()
  return <ShownText text={id === user ? name : id} />
}

/** What became of a record, in a word. */
export function changeText(operation: string): string {
  switch (operation) {
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
