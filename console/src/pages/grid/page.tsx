// The records of a document, as many as there are.
import { Anchor, Button, Group, Text } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Suspense, useCallback, useState } from 'react'
import { command } from '../../parts/command.ts'
import { Empty } from '../../parts/empty.tsx'
import { Folded, useIsPhone } from '../../parts/folded.tsx'
import { Loading } from '../../parts/loading.tsx'
import { MirrorNote, StillLoading } from '../../parts/mirror-note.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { StarButton } from '../../parts/star-button.tsx'
import { BASE_PATH } from '../../service/base-path.ts'
import { useNamedDocument } from '../../service/dimensions.ts'
import { useOpened } from '../../service/kept.ts'
import { useMayImport, useMayWrite } from '../../service/may-write.ts'
import type { DocumentInfo } from '../../service/metadata.ts'
import { useMirrored } from '../../service/mirror.ts'
import { useCompany } from '../../service/session.ts'
import { useNewRecordText, useTitles } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'
import { Cards } from './cards.tsx'
import { ChangeLink } from './change-link.tsx'
import { ColumnChoice } from './column-choice.tsx'
import { DownloadMenu } from './download-menu.tsx'
import { FilterBar } from './filter/filter-bar.tsx'
import { filterWith } from './filter/from-cell.ts'
import classes from './grid.module.css'
import { allColumns, selectFor } from './list-columns.ts'
import { MarkedBar } from './marked-bar.tsx'
import { useMarks } from './marks.ts'
import { nextOrder } from './order.ts'
import { OrderChoice } from './order-choice.tsx'
import { usePrinting } from './print-sheet.tsx'
import { pageOf, type Row, useCount } from './rows.ts'
import { SavedViews, useViewName } from './saved-views.tsx'
import { GridTable } from './table.tsx'
import { columnName, columnsOf, searchOf, useView } from './view.ts'

export function GridPage() {
  const { document = '' } = useParams({ strict: false }) as { document?: string }
  const { phase = '' } = useMirrored(document) ?? {}
  const titleOf = useTitles()
  const waiting = (
    <PageFrame isFilling title={titleOf(document)} description={NO_WORDS_YET}>
      <WaitingRows />
    </PageFrame>
  )
  return (
    <Suspense fallback={waiting}>
      <Grid key={`${document} ${phase === 'loading'}`} name={document} />
    </Suspense>
  )
}

function Grid({ name }: { readonly name: string }) {
  const { id: company } = useCompany()
  const document = useNamedDocument(name)
  const titleOf = useTitles()
  const { view, change, reset } = useView(name)
  const columns = columnsOf(document, view)
  const sums = view.sums ?? document.record['x-erp-sums'] ?? []
  const question = {
    document: name,
    select: selectFor(document, columns),
    filter: view.filter,
    orderBy: view.orderBy,
  }
  const viewName = useViewName(name, view)
  const filtered = view.filter === '' ? titleOf(name) : t('{{document}}, filtered', { document: titleOf(name) })
  const kept = { document: name, search: searchOf(view), title: viewName ?? filtered }
  useOpened(kept)
  const { data: count, error: countError, refetch } = useCount(company, question)
  const [rowsError, setRowsError] = useState<Error | null>(null)
  const onError = useCallback((error: Error | null) => setRowsError(error), [])
  const error = countError ?? rowsError
  const mirrored = useMirrored(name)
  const loading = mirrored?.phase === 'loading' && count === undefined ? mirrored : undefined
  const isPhone = useIsPhone()
  const shownSums = sums.filter((path) => columns.some((column) => column.path === path))
  const marks = useMarks(document, view.filter)
  const ofMarked = { ...question, filter: marks.filter }
  const { print, sheet } = usePrinting({
    company,
    columns,
    sums: shownSums,
    ...(marks.count > 0 ? { question: ofMarked, count: marks.count } : { question, count }),
  })
  const setColumns = (next: typeof columns) => change({ columns: next.map(columnName) })
  const navigate = useNavigate()
  const open = (row: Row) => {
    const page = pageOf(company, document, row)
    if (page) void navigate(page)
  }
  const rows = { company, document, columns, question, sums: shownSums, marks, onError }
  const changeAll = count !== undefined && count > 0 && (
    <ChangeLink company={company} document={name} filter={view.filter}>
      {t('Change all {{count}} rows…', { count })}
    </ChangeLink>
  )
  const ofRows = (
    <>
      {document.record['x-erp-sums'] && (
        <Button
          variant="default"
          component={Link}
          to="/$company/balances/$document"
          params={{ company, document: name } as never}
          search={(view.filter === '' ? {} : { filter: view.filter }) as never}
        >
          {t('Balances')}
        </Button>
      )}
      <ImportLink company={company} document={name} />
      {view.filter === '' && changeAll}
    </>
  )
  const ofView = (
    <>
      <SavedViews company={company} info={document} view={view} onReset={reset} />
      <ColumnChoice
        document={document}
        shown={columns}
        sums={sums}
        onAdd={(path) => change({ columns: [...columns.map(columnName), path] })}
        onRemove={(path) => setColumns(columns.filter((column) => column.path !== path))}
        onSums={(paths) => change({ sums: paths })}
      />
      <DownloadMenu {...{ company, question, columns }} onPrint={print} />
    </>
  )
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
          <StarButton page={kept} />
          <Folded>
            {ofRows}
            {isPhone && ofView}
          </Folded>
          {/* Who has filtered them is not far from changing them. */}
          {view.filter !== '' && changeAll}
          <NewRecord company={company} document={name} />
        </>
      }
    >
      <FilterBar
        document={document.name}
        columns={allColumns(document)}
        filter={view.filter}
        onChange={(filter) => change({ filter })}
      >
        {isPhone ? (
          <OrderChoice columns={columns} orderBy={view.orderBy} onChange={(orderBy) => change({ orderBy })} />
        ) : (
          ofView
        )}
      </FilterBar>
      {loading && <StillLoading mirrored={loading} />}
      {error && !loading && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {count === 0 && !error && (
        <NoRows company={company} document={document} filter={view.filter} onAll={() => change({ filter: '' })} />
      )}
      {count !== undefined && count > 0 && !countError && isPhone && <Cards {...rows} count={count} />}
      {count !== undefined && count > 0 && !countError && !isPhone && (
        <GridTable
          {...rows}
          count={count}
          orderBy={view.orderBy}
          onOrder={(path, isFurther) => change({ orderBy: nextOrder(view.orderBy, path, isFurther) })}
          onColumns={setColumns}
          onCondition={(next) => change({ filter: filterWith(view.filter, next, allColumns(document)) })}
          onOpen={open}
        />
      )}
      {count === undefined && !error && !loading && <WaitingRows />}
      <MarkedBar {...{ company, document, columns, marks }} question={ofMarked} onPrint={print} />
      {sheet}
    </PageFrame>
  )
}

/** A line as high as that of the words to come. */
const NO_WORDS_YET = '\u00a0'

/** Where the grid will stand. */
const WaitingRows = () => (
  <div className={classes.waiting}>
    <Loading lines={16} />
  </div>
)

interface NoRowsProps {
  readonly company: string
  readonly document: DocumentInfo
  readonly filter: string
  readonly onAll: () => void
}

function NoRows({ company, document: { name, schema }, filter, onAll }: NoRowsProps) {
  if (filter !== '') {
    return (
      <Empty title={t('No rows')}>
        <Text size="sm" mb="sm">
          {t('Nothing is so as the filter says.')}
        </Text>
        <Button variant="default" onClick={onAll}>
          {t('Show all rows')}
        </Button>
      </Empty>
    )
  }
  return (
    <Empty title={t('No rows')}>
      <Text size="sm" mb="sm">
        {schema.description} {t('There are no records yet that you may see.')}
      </Text>
      <Group justify="center" gap="sm">
        <NewRecord company={company} document={name} />
        <Anchor href={`${BASE_PATH}/docs`}>{t('Guides')}</Anchor>
      </Group>
    </Empty>
  )
}

function ImportLink({ company, document }: { readonly company: string; readonly document: string }) {
  if (!useMayImport()(document)) return null
  return (
    <Button variant="default" component={Link} to="/$company/import/$document" params={{ company, document } as never}>
      {t('Import')}
    </Button>
  )
}

function NewRecord({ company, document }: { readonly company: string; readonly document: string }) {
  const newText = useNewRecordText()
  if (!useMayWrite()(document, 'create')) return null
  return (
    <Button
      component={Link}
      to="/$company/new/$document"
      params={{ company, document } as never}
      {...command(newText(document), 'n')}
    >
      {newText(document)}
    </Button>
  )
}
