import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChangeSentence } from '../../parts/change-sentence.tsx'
import { Empty } from '../../parts/empty.tsx'
import { timeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { fetchJson } from '../../service/client.ts'
import { documentQuery, titleAt } from '../../service/metadata.ts'
import { addressOf } from '../../service/question.ts'
import { recordKeyText } from '../../service/record-key.ts'
import { sentence } from '../../words/sentence.tsx'
import { t } from '../../words/words.ts'
import { auditedChange } from './audited-change.ts'
import classes from './home.module.css'

interface AuditEntry {
  readonly entryNo: number
  readonly entity: string
  readonly recordKey: string
  readonly operation: string
  readonly at: string
  readonly userId: string
  readonly clientId: string
  /** The record as JSON, or empty. */
  readonly before: string
  readonly after: string
}

/** Entities of the audit whose records have a page. */
const PAGES: Readonly<Record<string, string>> = {
  customer: 'customers',
  supplier: 'suppliers',
  employee: 'employees',
  'attribute-value': 'attribute-values',
  'attribute-relation': 'attribute-relations',
}

const QUESTION = {
  document: 'audit-entries',
  select: 'entryNo,entity,recordKey,operation,at,userId,clientId,before,after',
  filter: `entity in (${Object.keys(PAGES)
    .map((entity) => `'${entity}'`)
    .join(',')})`,
  orderBy: 'entryNo desc',
  limit: 12,
}

export function RecentChanges({ company }: { readonly company: string }) {
  const { data, error } = useQuery({
    queryKey: [company, 'recent-changes'],
    queryFn: () => fetchJson<AuditEntry[]>(addressOf(company, QUESTION)),
  })
  return (
    <section aria-label={t('Changed last')}>
      <Title order={2}>{t('Changed last')}</Title>
      {error && <ProblemNote error={error} />}
      {!data && !error && <Loading />}
      {data?.length === 0 && <Empty title={t('Nothing was changed yet')} />}
      <ul className={classes.list}>
        {data?.map((entry) => (
          <li key={entry.entryNo}>
            <Entry company={company} entry={entry} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Entry({ company, entry }: { readonly company: string; readonly entry: AuditEntry }) {
  const { entity, recordKey, operation, at, clientId, before, after } = entry
  const key = partsOf(recordKey)
  const document = PAGES[entity] ?? ''
  const { data: described } = useQuery(documentQuery(company, document))
  const { name, changed } = auditedChange(before, after)
  const shown = <ShownText text={name === '' ? key.join(' / ') : name} length={80} />
  return (
    <>
      <ChangeSentence
        change={entry}
        changed={described ? changed.map((path) => titleAt(described, path)) : []}
        record={
          operation === 'delete' ? (
            shown
          ) : (
            <Link to="/$company/record/$document/$key" params={{ company, document, key: recordKeyText(key) }}>
              {shown}
            </Link>
          )
        }
      />
      <div className={classes.quiet}>
        {timeText(at)} {clientId !== '' && sentence('through {{client}}', { client: <ShownText text={clientId} /> })}
      </div>
    </>
  )
}

function partsOf(recordKey: string): string[] {
  try {
    return (JSON.parse(recordKey) as unknown[]).map(String)
  } catch {
    return [recordKey]
  }
}
