// The records of a document, as many as there are.
import { Button, Text, TextInput } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { Loading } from '../../parts/loading.tsx'
import { MirrorNote, StillLoading } from '../../parts/mirror-note.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { useDocument } from '../../service/metadata.ts'
import { useMirrored } from '../../service/mirror.ts'
import { permissionFor } from '../../service/records.ts'
import { useCompany, useMay } from '../../service/session.ts'
import { useTitles } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'
import { useMayImport } from '../import/may-import.ts'
import { ColumnChoice } from './column-choice.tsx'
import { DownloadMenu } from './download-menu.tsx'
import { selectFor } from './list-columns.ts'
import { useCount } from './rows.ts'
import { SavedViews } from './saved-views.tsx'
import { GridTable } from './table.tsx'
import { columnsOf, nextOrder, useView } from './view.ts'

export function GridPage() {
  const { document = '' } = useParams({ strict: false }) as { document?: string }
  const { phase = '' } = useMirrored(document) ?? {}
  return (
    <Suspense fallback={<Loading />}>
      <Grid key={`${document} ${phase === 'loading'}`} name={document} />
    </Suspense>
  )
}

function Grid({ name }: { readonly name: string }) {
  const { id: company } = useCompany()
  const document = useDocument(name)
  const titleOf = useTitles()
  const [view, change] = useView()
  const columns = columnsOf(document, view)
  const question = {
    document: name,
    select: selectFor(document, columns),
    filter: view.filter,
    orderBy: view.orderBy,
  }
  const { data: count, error: countError } = useCount(company, question)
  const [rowsError, setRowsError] = useState<Error | null>(null)
  const onError = useCallback((error: Error | null) => setRowsError(error), [])
  const error = countError ?? rowsError
  const mirrored = useMirrored(name)
  const loading = mirrored?.phase === 'loading' && count === undefined ? mirrored : undefined
  return (
    <PageFrame
      isFilling
      title={titleOf(name)}
      description={
        <>
          <Text size="sm" c="dimmed" aria-live="polite">
            {document.schema.description} {count === undefined ? '' : t('{{count}} rows.', { count })}
          </Text>
          <MirrorNote document={name} />
        </>
      }
      actions={
        <>
          <NewRecord company={company} document={name} />
          <ImportLink company={company} document={name} />
          <SavedViews company={company} document={name} />
          <ColumnChoice document={document} shown={columns} onChange={(paths) => change({ columns: paths })} />
          <DownloadMenu company={company} question={question} />
        </>
      }
    >
      <FilterInput key={view.filter} filter={view.filter} onChange={(filter) => change({ filter })} />
      {loading && <StillLoading mirrored={loading} />}
      {error && !loading && <ProblemNote error={error} />}
      {count === 0 && !error && (
        <Empty title="No rows">
          {view.filter === '' ? 'There are no records yet that you may see.' : 'The filter leaves nothing.'}
        </Empty>
      )}
      {count !== undefined && count > 0 && !countError && (
        <GridTable
          company={company}
          document={document}
          columns={columns}
          question={question}
          count={count}
          orderBy={view.orderBy}
          onOrder={(path) => change({ orderBy: nextOrder(view.orderBy, path) })}
          onError={onError}
        />
      )}
      {count === undefined && !error && !loading && <Loading lines={12} />}
    </PageFrame>
  )
}

/** Applied by Enter, so that no half a filter is asked. */
function FilterInput({ filter, onChange }: { readonly filter: string; readonly onChange: (filter: string) => void }) {
  const [typed, setTyped] = useState(filter)
  useEffect(() => setTyped(filter), [filter])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onChange(typed.trim())
      }}
    >
      <TextInput
        size="xs"
        aria-label="Filter"
        placeholder="Filter, such as contains(NAME,'text') and NAME ge 10"
        value={typed}
        spellCheck={false}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </form>
  )
}

function ImportLink({ company, document }: { readonly company: string; readonly document: string }) {
  if (!useMayImport(document)) return null
  return (
    <Button
      size="xs"
      variant="default"
      component={Link}
      to="/$company/import/$document"
      params={{ company, document } as never}
    >
      {t('Import')}
    </Button>
  )
}

function NewRecord({ company, document }: { readonly company: string; readonly document: string }) {
  const may = useMay()
  const create = permissionFor(document, 'create')
  if (create === undefined || !may(create)) return null
  return (
    <Button size="xs" component={Link} to="/$company/new/$document" params={{ company, document } as never}>
      New
    </Button>
  )
}
