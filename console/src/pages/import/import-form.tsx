// What the columns of a file mean, then its rows with what is wrong with them, then what has become of them.
import { Button, Checkbox, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ProblemNote } from '../../parts/problem.tsx'
import { type FilePreview, type ImportOperation, type Reading, runRows } from '../../service/imports.ts'
import type { DocumentInfo } from '../../service/metadata.ts'
import { permissionFor } from '../../service/records.ts'
import { useCompany, useMay, useService, useSession } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { ColumnsTable } from './columns-table.tsx'
import { CommonFindings, splitFindings } from './common-findings.tsx'
import { findingsOf, type RowFindings } from './findings.ts'
import classes from './import.module.css'
import { firstMapping, neededPaths } from './needed.ts'
import { Progress } from './progress.tsx'
import { RowsTable } from './rows-table.tsx'
import { type Step, Steps } from './steps.tsx'
import { csvOf, type Mapping, mapOf, type Row, type Table } from './table.ts'
import { UndoImport } from './undo-import.tsx'
import { WrongValues } from './wrong-values.tsx'

interface ImportFormProps {
  readonly document: DocumentInfo
  readonly preview: FilePreview
  readonly table: Table
  readonly reading: Reading
  /** How the file was read. */
  readonly choice: ReactNode
}

interface Options {
  readonly update: boolean
  readonly keepIds: boolean
  readonly addCodes: readonly string[]
}

export function ImportForm({ document, preview, table: read, reading, choice }: ImportFormProps) {
  const { id: company } = useCompany()
  const service = useService()
  const queries = useQueryClient()
  const may = useMay()
  const { administrator, actingAs } = useSession()
  const [step, setStep] = useState<Step>('columns')
  const [rows, setRows] = useState(read.rows)
  const [mapping, setMapping] = useState<Mapping>(() => firstMapping(document, preview, read))
  const [options, setOptions] = useState<Options>({ update: false, keepIds: false, addCodes: [] })
  const [findings, setFindings] = useState<RowFindings>(new Map())
  const [mended, setMended] = useState<ReadonlySet<number>>(new Set())
  const [found, setFound] = useState<Partial<Reading>>({})
  const [loaded, setLoaded] = useState<readonly ImportOperation[]>([])
  const [progress, setProgress] = useState(0)

  const send = async (some: readonly Row[], given: Options, isCheck: boolean, isAll: boolean) => {
    setProgress(0)
    const separator = preview.readWith.separator || ','
    const { text, lines } = csvOf({ ...read, rows: some }, mapping, separator === 'tab' ? '\t' : separator)
    const forms = isAll && isCheck ? {} : found
    const sent = {
      ...given,
      csv: text,
      map: mapOf(read, mapping),
      reading: { ...reading, ...forms, ...saidOf(reading), separator },
      validateOnly: isCheck,
    }
    const last = lines.at(-1) ?? 1
    const done = await runRows(service, company, document.name, sent, (line) => setProgress(line / last))
    const numbers = some.map(({ number }) => number)
    return { operation: done.operation, findings: findingsOf(done.rejected, lines, numbers, mapping) }
  }
  const check = useMutation({
    scope: { id: 'import' },
    mutationFn: ({ some, given, isAll }: { some: readonly Row[]; given: Options; isAll: boolean }) =>
      send(some, given, true, isAll),
    onSuccess: ({ operation, findings: next }, { some, isAll }) => {
      if (isAll) {
        setFound(formsIn(operation))
        setMended(new Set())
      }
      setFindings((before) => {
        const kept = isAll ? [] : [...before].filter(([number]) => !some.some((row) => row.number === number))
        return new Map([...kept, ...next])
      })
    },
  })
  const load = useMutation({
    scope: { id: 'import' },
    mutationFn: () => send(rows, options, false, false),
    onSuccess: async ({ operation, findings: next }) => {
      setLoaded((before) => [...before, operation])
      setRows((before) => before.filter(({ number }) => next.has(number)))
      setFindings(next)
      setMended(new Set())
      setStep('done')
      await queries.invalidateQueries({ queryKey: [company] })
    },
  })
  const checkAll = (given = options) => check.mutate({ some: rows, given, isAll: true })
  const goTo = (next: Step) => {
    setStep(next)
    if (next === 'rows') checkAll()
  }
  const set = (given: Partial<Options>) => {
    const next = { ...options, ...given }
    setOptions(next)
    if (step !== 'columns') checkAll(next)
  }
  /** Rows that were mended are checked at once, by themselves. */
  const change = (mended: readonly Row[]) => {
    const byNumber = new Map(mended.map((row) => [row.number, row]))
    setRows((before) => before.map((row) => byNumber.get(row.number) ?? row))
    check.mutate({ some: mended, given: options, isAll: false })
  }
  const update = permissionFor(document.name, 'update')
  const good = rows.length - findings.size
  const isBusy = check.isPending || load.isPending
  const isChecked = check.isSuccess && !isBusy
  const { common, byRow } = splitFindings(findings, rows.length)
  const needed = neededPaths(document, preview, common)
  const missing = needed.filter((path) => !mapping.has(path))
  if (step === 'columns') {
    return (
      <>
        <Steps at="columns" />
        {choice}
        <ColumnsTable
          document={document}
          preview={preview}
          table={read}
          mapping={mapping}
          needed={needed}
          onChange={setMapping}
        />
        <Group gap="md" className={classes.foot}>
          <Button size="sm" onClick={() => goTo('rows')} disabled={mapping.size === 0}>
            {t('Check the rows')}
          </Button>
          {missing.length > 0 && (
            <Text size="sm" c="dimmed">
              {t('{{count}} needed fields have nothing yet.', { count: missing.length })}
            </Text>
          )}
        </Group>
      </>
    )
  }
  const last = loaded.at(-1)
  return (
    <>
      <Steps at={step} onGo={setStep} />
      {step === 'done' && last && (
        <section className={classes.report} role="status">
          <Text fw={600} size="lg">
            {last.update
              ? t('{{count}} rows were stored.', { count: last.written })
              : t('{{count}} records were added.', { count: last.written })}
          </Text>
          {rows.length > 0 && (
            <Text size="sm">
              {t('{{count}} rows are left: mend them here, and load them again.', { count: rows.length })}
            </Text>
          )}
          {last.written > 0 && <UndoImport key={last.id} operation={last} />}
        </section>
      )}
      {(check.error ?? load.error) && <ProblemNote error={check.error ?? load.error} />}
      {isBusy && (
        <Progress value={progress} text={load.isPending ? t('The rows are loaded') : t('The rows are checked')} />
      )}
      {step === 'rows' && (
        <Group gap="lg" className={classes.options}>
          {update !== undefined && may(update) && document.name !== 'attribute-values' && (
            <Checkbox
              label={t('Change records that exist already')}
              checked={options.update}
              onChange={({ currentTarget }) => set({ update: currentTarget.checked, addCodes: [] })}
            />
          )}
          {administrator && actingAs === undefined && (
            <Checkbox
              label={t('Keep the numbers of the file')}
              checked={options.keepIds}
              onChange={({ currentTarget }) => set({ keepIds: currentTarget.checked })}
            />
          )}
        </Group>
      )}
      {!isBusy && rows.length > 0 && (
        <CommonFindings document={document} mapping={mapping} findings={common} onColumns={() => setStep('columns')} />
      )}
      {!isBusy && rows.length > 0 && (
        <WrongValues
          document={document}
          table={{ ...read, rows }}
          mapping={mapping}
          findings={findings}
          addableCodes={options.update ? [] : preview.addableCodes}
          onReplaced={change}
          onAdd={(attributeId) => set({ addCodes: [...options.addCodes, attributeId] })}
        />
      )}
      {rows.length > 0 && (
        <>
          <Group gap="md" className={classes.foot}>
            <Button
              size="sm"
              onClick={() => load.mutate()}
              loading={load.isPending}
              disabled={!isChecked || good === 0}
            >
              {t('Load {{count}} rows', { count: good })}
            </Button>
            <Button variant="default" onClick={() => checkAll()} disabled={isBusy}>
              {t('Check again')}
            </Button>
            {isChecked && findings.size > 0 && (
              <Text size="sm" c="dimmed">
                {t('{{count}} rows have something to mend and are left out.', { count: findings.size })}
              </Text>
            )}
            {isChecked && findings.size === 0 && <Text size="sm">{t('Nothing is wrong with any row.')}</Text>}
          </Group>
          <RowsTable
            document={document}
            table={{ ...read, rows }}
            mapping={mapping}
            findings={byRow}
            mended={mended}
            onChange={(row) => {
              setMended((before) => new Set([...before, row.number]))
              change([row])
            }}
          />
        </>
      )}
    </>
  )
}

/** What a person has said wins over what was found. */
const saidOf = (reading: Reading): Partial<Reading> =>
  Object.fromEntries(Object.entries(reading).filter(([, value]) => value !== ''))

/** Some rows by themselves may not tell how all are to be read. */
function formsIn({ readWith: { decimal, dates } }: ImportOperation): Partial<Reading> {
  const order = ['dd/mm/yyyy', 'mm/dd/yyyy'].find((one) => dates.split(', ').includes(one)) ?? ''
  return { decimal, dates: order }
}
