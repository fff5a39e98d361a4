// Amounts of a document by any two of its members, as a table with subtotals, which leads to the records behind each sum.
import { Alert, Anchor, Button, Title } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { PLOT_SPACE, Plot } from '../../parts/lazy-plot.tsx'
import { Loading } from '../../parts/loading.tsx'
import { MirrorNote } from '../../parts/mirror-note.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { useNamedDocument } from '../../service/dimensions.ts'
import { type DocumentInfo, fieldTitle } from '../../service/metadata.ts'
import type { Question } from '../../service/question.ts'
import { useCompany, useSession } from '../../service/session.ts'
import { useTitles, withinSentence } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'
import { FilterBar } from '../grid/filter/filter-bar.tsx'
import { allColumns } from '../grid/list-columns.ts'
import { allOf, anyOf, axisLabel, conditionOf, firstColumns, isPeriod, rangeOf } from './axes.ts'
import classes from './balances.module.css'
import { type Columns, cellsQuestion, MOST_COLUMNS, useColumns, usePivot } from './balances-query.ts'
import { Choices } from './choices.tsx'
import { ExcelMenu } from './excel-menu.tsx'
import { useGroupings } from './groupings.ts'
import { type Pivot, type Subtotal, subtotalsOf } from './pivot.ts'
import { type PivotLine, PivotTable } from './pivot-table.tsx'
import { amountFields, type Chosen, chosenIn, useView } from './view.ts'

const ShowOnHome = lazy(() => import('../grid/show-on-home.tsx'))

/** The values of a group in the filter of its records; of more the rows lead there one by one. */
const MOST_IN_FILTER = 100

export function BalancesPage() {
  const { document = '' } = useParams({ strict: false }) as { document?: string }
  return (
    <Suspense fallback={<Loading />}>
      <Balances key={document} name={document} />
    </Suspense>
  )
}

function Balances({ name }: { readonly name: string }) {
  const { id: company } = useCompany()
  const document = useNamedDocument(name)
  const titleOf = useTitles()
  const [view, change] = useView()
  const chosen = chosenIn(document, view)
  const columns = useColumns(company, name, chosen ?? {}, view)
  const question = chosen && cellsQuestion(name, chosen, view.filter, columns.data?.range)
  const search = view.filter === '' ? {} : { filter: view.filter }
  return (
    <PageFrame
      title={t('Balances of {{document}}', { document: withinSentence(titleOf(name)) })}
      description={
        <>
          <Anchor
            component={Link}
            to="/$company/grid/$document"
            params={{ company, document: name } as never}
            search={search as never}
          >
            {t('The list behind them')}
          </Anchor>
          <MirrorNote document={name} />
        </>
      }
      actions={
        chosen && (
          <>
            <OnHome document={document} chosen={chosen} filter={view.filter} />
            {question && columns.data && <ExcelMenu company={company} question={question} />}
          </>
        )
      }
    >
      {!chosen && (
        <Empty title={t('Nothing to sum')}>{t('These records have no amounts that you may see and sum.')}</Empty>
      )}
      {chosen && (
        <FilterBar
          document={document.name}
          columns={allColumns(document)}
          filter={view.filter}
          onChange={(filter) => change({ filter })}
        />
      )}
      {columns.error && <ProblemNote error={columns.error} onRetry={() => void columns.refetch()} />}
      {chosen && question && !columns.error && (
        <Sums
          company={company}
          document={document}
          chosen={chosen}
          question={question}
          columns={columns.data}
          view={view}
          onChange={change}
        />
      )}
    </PageFrame>
  )
}

interface OnHomeProps {
  readonly document: DocumentInfo
  readonly chosen: Chosen
  readonly filter: string
}

function OnHome({ document, chosen: { amount, columns }, filter }: OnHomeProps) {
  const [isOpen, setOpen] = useState<boolean>()
  const { actingAs } = useSession()
  const others = amountFields(document).filter(({ path }) => path !== amount.path)
  const isOfPeriods = columns && (isPeriod(columns) || columns.kind === 'date-time')
  const period = isOfPeriods ? columns : firstColumns(document)
  if (actingAs !== undefined) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('Show on Home')}
      </Button>
      {isOpen !== undefined && (
        <Suspense>
          <ShowOnHome
            document={document}
            filter={filter}
            sums={[amount, ...others]}
            period={period}
            isOpen={isOpen}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

interface SumsProps {
  readonly company: string
  readonly document: DocumentInfo
  readonly chosen: Chosen
  readonly question: Question
  readonly columns: Columns | undefined
  readonly view: ReturnType<typeof useView>[0]
  readonly onChange: ReturnType<typeof useView>[1]
}

function Sums({ company, document, chosen, question, columns, view, onChange }: SumsProps) {
  const isAsked = columns !== undefined && !columns.isTooMany
  const { data, error, refetch } = usePivot(company, question, chosen, isAsked)
  const pivot = data?.pivot
  const { offered, grouping } = useGroupings(chosen.rows, pivot, view.by)
  const [seen, setSeen] = useState<PivotLine>()
  const shown = useDeferredValue(seen)
  const groups = grouping && pivot ? subtotalsOf(pivot, grouping.groupOf, t('In no group')) : undefined
  const isTooMany = columns?.isTooMany || (data && !pivot)
  const label = chosen.columns
    ? t('{{amount}} by {{rows}} and {{columns}}', {
        amount: fieldTitle(chosen.amount),
        rows: fieldTitle(chosen.rows),
        columns: fieldTitle(chosen.columns),
      })
    : t('{{amount}} by {{rows}}', { amount: fieldTitle(chosen.amount), rows: fieldTitle(chosen.rows) })
  return (
    <>
      <Choices
        document={document}
        chosen={chosen}
        view={view}
        columns={columns}
        offered={offered}
        grouping={grouping}
        onChange={onChange}
      />
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {isTooMany && <TooMany isOfColumns={columns?.isTooMany ?? false} hasRange={columns?.range !== undefined} />}
      {!isTooMany && !pivot && !error && <Loading lines={12} />}
      {pivot?.rows.length === 0 && (
        <Empty title={t('Nothing to sum')}>
          {t('No record is left by the filter and the columns that are chosen.')}
        </Empty>
      )}
      {pivot && pivot.rows.length > 0 && (
        <>
          <PivotTable
            key={`${chosen.rows.path} ${chosen.columns?.path} ${grouping?.id}`}
            pivot={pivot}
            groups={groups}
            chosen={chosen}
            rowTitle={fieldTitle(chosen.rows)}
            label={label}
            showsDifferences={view.differences !== ''}
            linkTo={(line, column) => {
              const filter = filterOf(line, column, { pivot, groups, chosen, columns, view })
              return filter === undefined ? undefined : { company, document: document.name, filter }
            }}
            onLine={setSeen}
          />
          <LinePlot
            pivot={pivot}
            groups={groups}
            chosen={chosen}
            line={shown}
            amountTitle={fieldTitle(chosen.amount)}
          />
        </>
      )}
    </>
  )
}

function TooMany({ isOfColumns, hasRange }: { readonly isOfColumns: boolean; readonly hasRange: boolean }) {
  const text = !isOfColumns
    ? t(
        'There are too many sums for a table. Choose rows or columns with fewer values, fewer columns, or filter the list.',
      )
    : hasRange
      ? t('At most {{most}} columns are shown. Choose a later From or an earlier To.', { most: MOST_COLUMNS })
      : t('At most {{most}} columns are shown. Choose others, or filter the list.', { most: MOST_COLUMNS })
  return (
    <Alert color="orange" variant="light" title={t('Too much at once')}>
      {text}
    </Alert>
  )
}

interface Summed {
  readonly pivot: Pivot
  readonly groups: readonly Subtotal[] | undefined
  readonly chosen: Chosen
  readonly columns: Columns | undefined
  readonly view: SumsProps['view']
}

/** The filter of the list for what a cell sums; `column`: undefined for all that are shown. */
function filterOf(line: PivotLine, column: number | undefined, summed: Summed): string | undefined {
  const { pivot, chosen, columns, view } = summed
  const across = column === undefined ? undefined : pivot.columns[column]
  const ofRows = rowsFilter(line, summed)
  if (ofRows === undefined) return undefined
  const ofColumns =
    across && chosen.columns
      ? conditionOf(chosen.columns, across)
      : chosen.columns && columns?.range
        ? rangeOf(chosen.columns, columns.range.from, columns.range.to)
        : ''
  return allOf(view.filter, ofRows, ofColumns)
}

function rowsFilter({ kind, key }: PivotLine, { pivot, groups, chosen: { rows } }: Summed): string | undefined {
  if (kind === 'total') return ''
  const found =
    kind === 'row' ? pivot.rows.filter(({ value }) => value.key === key) : groups?.find((one) => one.key === key)?.rows
  if (!found || found.length > MOST_IN_FILTER) return undefined
  return anyOf(
    rows,
    found.map(({ value }) => value),
  )
}

interface LinePlotProps extends Pick<Summed, 'pivot' | 'groups' | 'chosen'> {
  /** The line in which the focus was last. */
  readonly line: PivotLine | undefined
  readonly amountTitle: string
}

/** The amounts of one line, because those of all together may well be nothing but zeros. */
function LinePlot({ pivot, groups, chosen, line, amountTitle }: LinePlotProps) {
  const { columns } = chosen
  if (!columns || pivot.columns.length < 2) return null
  const { cells, name } = line
    ? { ...line, name: `${line.code} ${line.title}`.trim() }
    : largestIn(pivot, groups, chosen)
  const label = t('{{amount}} of {{line}}', { amount: amountTitle, line: name })
  const points = pivot.columns.map((column, at) => ({
    label: axisLabel(columns, column),
    value: Number(cells[at] ?? 0),
  }))
  return (
    <section className={classes.plot} aria-label={label}>
      <Title order={2}>
        <bdi>{label}</bdi>
      </Title>
      <Suspense fallback={PLOT_SPACE}>
        <Plot points={points} label={label} />
      </Suspense>
    </section>
  )
}

/** The group or the row with the greatest amount, before something was chosen. */
function largestIn(pivot: Pivot, groups: readonly Subtotal[] | undefined, { rows }: Chosen) {
  const lines = groups
    ? groups.map(({ key, title, ...amounts }) => ({ ...amounts, key, name: title }))
    : pivot.rows.map(({ value, ...amounts }) => ({
        ...amounts,
        key: value.code,
        name: `${axisLabel(rows, value)} ${value.text}`.trim(),
      }))
  const named = lines.filter(({ key }) => key !== '')
  return (named.length > 0 ? named : lines).reduce((most, one) => (sizeOf(one.total) > sizeOf(most.total) ? one : most))
}

const sizeOf = (total: string): number => Math.abs(Number(total))
