// The reference: every operation of the service as it describes itself, with a form to try it.
import { Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { BASE_PATH } from '../../service/base-path.ts'
import { useCompany } from '../../service/session.ts'
import { sentence } from '../../words/sentence.tsx'
import { t } from '../../words/words.ts'
import { descriptionQuery, type Operation, operationsOf, searched } from './description.ts'
import { OperationView } from './operation-view.tsx'
import { PathText } from './path-text.tsx'
import classes from './reference.module.css'

export function ReferencePage() {
  const { id: company } = useCompany()
  const { operation: name } = useSearch({ strict: false }) as { operation?: string }
  const { data: description, error, refetch } = useQuery(descriptionQuery)
  const operations = useMemo(() => (description ? operationsOf(description) : []), [description])
  const shown = operations.find((one) => one.name === name)
  return (
    <PageFrame
      title={t('Reference')}
      description={sentence(
        'Every operation, with a form to try it as yourself. The same without scripts, and the guides: {{link}}',
        { link: <a href={`${BASE_PATH}/docs`}>/docs</a> },
      )}
    >
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {!description && !error && <Loading lines={12} />}
      {description && (
        <div className={classes.columns}>
          <Operations operations={operations} company={company} shown={name} />
          <div className={classes.shown}>
            {shown ? (
              <OperationView key={shown.name} company={company} description={description} operation={shown} />
            ) : (
              <Empty title={name === undefined ? t('Choose an operation') : t('There is no such operation')}>
                {t('{{count}} operations are described.', { count: operations.length })}
              </Empty>
            )}
          </div>
        </div>
      )}
    </PageFrame>
  )
}

interface OperationsProps {
  readonly operations: readonly Operation[]
  readonly company: string
  readonly shown: string | undefined
}

function Operations({ operations, company, shown }: OperationsProps) {
  const [search, setSearch] = useState('')
  const found = searched(operations, search)
  const tags = Map.groupBy(found, ({ tag }) => tag)
  return (
    <nav aria-label={t('Operations')} className={classes.operations}>
      <TextInput
        type="search"
        label={t('Search the reference')}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <Text size="sm" c="dimmed" role="status">
        {search === '' ? '' : t('{{count}} found', { count: found.length })}
      </Text>
      {[...tags].map(([tag, ofTag]) => (
        <section key={tag} aria-label={tag}>
          <Title order={2} size="h3">
            {tag}
          </Title>
          <ul className={classes.list}>
            {ofTag.map(({ name, method, path, summary }) => (
              <li key={name}>
                <Link
                  to="/$company/reference"
                  params={{ company }}
                  search={{ operation: name } as never}
                  className={classes.operation}
                  {...(name === shown && { 'aria-current': 'page' as const })}
                >
                  <strong>{method}</strong> <PathText path={path} />
                  {summary !== undefined && <span className={classes.summary}>{summary}</span>}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}
