import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Empty } from '../../parts/empty.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { fetchJson } from '../../service/client.ts'
import { addressOf } from '../../service/question.ts'
import { recordKeyText } from '../../service/record-key.ts'
import classes from './home.module.css'

interface AuditEntry {
  readonly entryNo: number
  readonly entity: string
  readonly recordKey: string
  readonly operation: string
  readonly at: string
  readonly userId: string
  readonly clientId: string
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
  select: 'entryNo,entity,recordKey,operation,at,userId,clientId',
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
    <section aria-label="Changed last">
      <Title order={2}>Changed last</Title>
      {error && <ProblemNote error={error} />}
      {!data && !error && <Loading />}
      {data?.length === 0 && <Empty title="Nothing was changed yet" />}
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
  const { entity, recordKey, operation, at, userId, clientId } = entry
  const key = partsOf(recordKey)
  const document = PAGES[entity]
  return (
    <>
      {operation} {entity.replaceAll('-', ' ')}{' '}
      {document === undefined || operation === 'delete' ? (
        <ShownText text={key.join(' / ')} length={80} />
      ) : (
        <Link to="/$company/record/$document/$key" params={{ company, document, key: recordKeyText(key) }}>
          <ShownText text={key.join(' / ')} length={80} />
        </Link>
      )}
      <div className={classes.quiet}>
        {at.slice(0, 16).replace('T', ' ')} by <ShownText text={userId} />
        {clientId !== '' && ' through '}
        <ShownText text={clientId} />
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
