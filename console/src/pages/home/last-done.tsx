// What the person did last: what was opened, and what was changed, as the change log tells those who may
// read it.
import { useQuery } from '@tanstack/react-query'
import { filter } from '#client'
import { FieldValue } from '../../parts/field-value.tsx'
import { fetchJson } from '../../service/client.ts'
import { type KeptPage, useKept } from '../../service/kept.ts'
import { useDocuments } from '../../service/metadata.ts'
import { addressOf } from '../../service/question.ts'
import { recordKeyText } from '../../service/record-key.ts'
import { useMay, useSession } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import classes from './home.module.css'
import { KeptLink } from './kept-link.tsx'
import { Part } from './part.tsx'
import { WhereToBegin } from './where-to-begin.tsx'

const SHOWN = 8
/** Read of the change log, where one record may have been changed often. */
const READ = 40

interface AuditEntry {
  readonly entity: string
  readonly recordKey: string
  readonly operation: string
  readonly at: string
}

interface Done extends KeptPage {
  readonly what: string
}

export function LastDone({ company }: { readonly company: string }) {
  const [recent] = useKept('recent')
  const { changed, isLoading } = useOwnChanges(company)
  const opened = recent.map((page): Done => ({ ...page, what: t('opened') }))
  const named = changed.map((one) => ({ ...one, title: titleIn(recent, one) ?? one.title }))
  const all = [...named, ...opened].toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
  const different = [...Map.groupBy(all, ({ document, key }) => `${document} ${key}`).values()].flatMap(
    ([last]) => last ?? [],
  )
  if (different.length === 0) return isLoading ? null : <WhereToBegin company={company} />
  return (
    <Part title={t('What you did last')}>
      <ul className={classes.list}>
        {different.slice(0, SHOWN).map((done) => (
          <li key={`${done.document} ${done.key}`}>
            <span>
              <KeptLink company={company} page={done} />
            </span>
            <span className={classes.quiet}>
              {done.what} <FieldValue value={done.at} kind="date-time" />
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

const titleIn = (recent: readonly KeptPage[], { document, key }: KeptPage): string | undefined =>
  recent.find((page) => page.document === document && page.key === key)?.title

/** The records with a page that the person has changed, each once. */
function useOwnChanges(company: string): { readonly changed: readonly Done[]; readonly isLoading: boolean } {
  const { user } = useSession()
  const may = useMay()
  const { data: documents = [] } = useDocuments()
  const { data: entries = [], isLoading } = useQuery({
    queryKey: [company, 'own-changes', user],
    enabled: may('objects:read/audit-entries'),
    queryFn: () =>
      fetchJson<AuditEntry[]>(
        addressOf(company, {
          document: 'audit-entries',
          select: 'entity,recordKey,operation,at',
          filter: `userId eq ${filter`${user}`} and operation in ('create','update')`,
          orderBy: 'entryNo desc',
          limit: READ,
        }),
      ),
  })
  const changed = entries.flatMap(({ entity, recordKey, operation, at }) => {
    const document = documents.find(({ name }) => name === entity || name === `${entity}s`)?.name
    const key = partsOf(recordKey)
    if (document === undefined || key === undefined) return []
    const what = operation === 'create' ? t('created') : t('changed')
    return [{ document, key: recordKeyText(key), title: key.join(' / '), at: secondsOf(at), what }]
  })
  return { changed, isLoading }
}

/** A time as the browser keeps it: no more than seconds are shown. */
const secondsOf = (at: string): string => `${at.slice(0, 19)}Z`

function partsOf(recordKey: string): string[] | undefined {
  try {
    return (JSON.parse(recordKey) as unknown[]).map(String)
  } catch {
    return undefined
  }
}
