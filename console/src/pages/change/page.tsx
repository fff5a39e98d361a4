// One field of all rows that a filter leaves gets another value, after a look at what becomes of them.
import { Button, Text } from '@mantine/core'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { Loading } from '../../parts/loading.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { useMayChangeMany } from '../../service/may-write.ts'
import { useDocument } from '../../service/metadata.ts'
import { useCompany } from '../../service/session.ts'
import { useTitles, withinSentence } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'
import { FilterBar } from '../grid/filter/filter-bar.tsx'
import { allColumns } from '../grid/list-columns.ts'
import { useCount } from '../grid/rows.ts'
import { viewOf } from '../grid/view.ts'
import { RecentImports } from '../import/recent-imports.tsx'
import { ChangeForm } from './change-form.tsx'
import { MOST_ROWS } from './planned-change.ts'

export function ChangePage() {
  const { document = '' } = useParams({ strict: false }) as { document?: string }
  return (
    <Suspense fallback={<Loading />}>
      <Change key={document} name={document} />
    </Suspense>
  )
}

function Change({ name }: { readonly name: string }) {
  const { id: company } = useCompany()
  const titleOf = useTitles()
  const document = useDocument(name)
  const navigate = useNavigate()
  const { filter } = viewOf(useSearch({ strict: false }) as Record<string, unknown>)
  const { data: count, error, isPlaceholderData, refetch } = useCount(company, { document: name, filter })
  const isAllowed = useMayChangeMany()(name)
  // What was changed may leave nothing that the filter finds.
  const [usedFilter, setUsedFilter] = useState<string>()
  const isShown =
    usedFilter === filter || (count !== undefined && count > 0 && count <= MOST_ROWS && !isPlaceholderData)
  const search = filter === '' ? {} : { filter }
  return (
    <PageFrame
      title={t('Change {{document}}', { document: withinSentence(titleOf(name)) })}
      description={
        <Text size="sm" c="dimmed" aria-live="polite">
          {count !== undefined && t('{{count}} rows.', { count })}{' '}
          {t('One field of all of them gets the same value. Nothing is stored before you have seen what changes.')}
        </Text>
      }
      actions={
        <Button
          variant="default"
          component={Link}
          to="/$company/grid/$document"
          params={{ company, document: name } as never}
          search={search as never}
        >
          {t('To the records')}
        </Button>
      }
    >
      {!isAllowed && <p>{t('You may not change such records.')}</p>}
      {isAllowed && (
        <>
          <FilterBar
            document={document.name}
            columns={allColumns(document)}
            filter={filter}
            onChange={(next) =>
              void navigate({ to: '.', search: (next === '' ? {} : { filter: next }) as never, replace: true })
            }
          />
          {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
          {count === undefined && !error && <Loading />}
          {count === 0 && !isShown && <Text>{t('Nothing is so as the filter says.')}</Text>}
          {count !== undefined && count > MOST_ROWS && !isShown && (
            <Text>
              {t('At most {{count}} rows are changed at once: let the filter leave fewer.', { count: MOST_ROWS })}
            </Text>
          )}
          {isShown && (
            <ChangeForm key={filter} document={document} filter={filter} onUsed={() => setUsedFilter(filter)} />
          )}
          {usedFilter !== filter && <RecentImports document={name} ofChanges />}
        </>
      )}
    </PageFrame>
  )
}
