// The field and its value, what would become of each row, then what has become of them.
import { Button, Checkbox, Group, Select, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { ProblemNote } from '../../parts/problem.tsx'
import { runChanges } from '../../service/imports.ts'
import { type DocumentInfo, groupTitle } from '../../service/metadata.ts'
import { useCompany, useService } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { FieldInput } from '../edit/field-input.tsx'
import { typedFindings } from '../edit/findings.ts'
import { shapeOf } from '../edit/form-shape.ts'
import { columnsOf, viewOf } from '../grid/view.ts'
import { Progress } from '../import/progress.tsx'
import { UndoImport } from '../import/undo-import.tsx'
import classes from './change.module.css'
import { ChangedRows, RefusedRows } from './change-tables.tsx'
import { messagesOf, type Outcome, outcomeOf } from './outcome.ts'
import { linesOf, type PlannedChange, readRows } from './planned-change.ts'

interface ChangeFormProps {
  readonly document: DocumentInfo
  readonly filter: string
  /** Something was stored. */
  readonly onUsed: () => void
}

export function ChangeForm({ document, filter, onUsed }: ChangeFormProps) {
  const { id: company } = useCompany()
  const service = useService()
  const queries = useQueryClient()
  const fields = useMemo(() => shapeOf(document, 'changed').fields, [document])
  const named = useMemo(() => nameOf(document), [document])
  const [path, setPath] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const [isEmptied, setEmptied] = useState(false)
  const [progress, setProgress] = useState(0)
  const field = fields.find((one) => one.path === path)

  const run = async ({ change, rows, readAt }: Pick<Outcome, 'change' | 'rows' | 'readAt'>, validateOnly: boolean) => {
    setProgress(0)
    const lines = linesOf(document, change, rows)
    const onProgress = (line: number) => setProgress(line / rows.length)
    const done = await runChanges(
      service,
      company,
      document.name,
      { lines, unchangedSince: readAt, validateOnly },
      onProgress,
    )
    return outcomeOf(done, { change, rows, readAt })
  }
  const preview = useMutation({
    mutationFn: async (change: PlannedChange) => {
      const read = await readRows(company, document, filter, named ? [named, change.field] : [change.field])
      return run({ change, ...read }, true)
    },
  })
  const store = useMutation({
    mutationFn: async (planned: Outcome) => run(planned, false),
    onSuccess: async () => {
      onUsed()
      await queries.invalidateQueries({ queryKey: [company] })
    },
  })
  const forget = () => {
    preview.reset()
    store.reset()
  }
  const choose = (next: string | null) => {
    setPath(next)
    setTyped(fields.find((one) => one.path === next)?.kind === 'boolean' ? 'false' : '')
    setEmptied(false)
    forget()
  }
  const planned = preview.data
  const isBusy = preview.isPending || store.isPending
  const isRequired = field?.schema['x-erp-required'] === true
  const messages = planned && planned.changed === 0 ? messagesOf(planned.refused) : []
  const refusal = messages.length === 1 ? messages[0] : undefined
  const shape = { fields: field ? [field] : [], computed: [], lists: [] }
  const fault = field && typedFindings(shape, { [field.path]: typed }).get(field.path)
  return (
    <>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          store.reset()
          if (field) preview.mutate({ field, text: isEmptied ? '' : typed })
        }}
      >
        <Select
          size="xs"
          label={t('Field')}
          placeholder={t('Choose a field')}
          data={choicesOf(document, fields)}
          value={path}
          onChange={choose}
          searchable
          nothingFoundMessage={t('There is no such field.')}
          maxDropdownHeight={320}
        />
        {field && !isEmptied && (
          <div className={classes.value}>
            <FieldInput
              key={field.path}
              field={field}
              value={typed}
              error={fault ?? refusal}
              onChange={(text) => {
                setTyped(text)
                forget()
              }}
            />
          </div>
        )}
        {field && field.kind !== 'boolean' && !isRequired && (
          <Checkbox
            className={classes.emptied}
            label={t('Empty the field')}
            checked={isEmptied}
            onChange={({ currentTarget }) => {
              setEmptied(currentTarget.checked)
              forget()
            }}
          />
        )}
        <Button
          type="submit"
          className={classes.look}
          variant={planned ? 'default' : 'filled'}
          disabled={!field || isBusy || (!isEmptied && (typed === '' || fault !== undefined))}
        >
          {t('See what changes')}
        </Button>
      </form>
      {isBusy && (
        <Progress value={progress} text={store.isPending ? t('The rows are changed') : t('The rows are checked')} />
      )}
      {(preview.error ?? store.error) && <ProblemNote error={preview.error ?? store.error} />}
      {store.data ? (
        <Stored outcome={store.data} document={document} named={named} />
      ) : (
        planned && (
          <Report
            outcome={planned}
            changed={t('{{count}} rows change.', { count: planned.changed })}
            refused={t('{{count}} rows are refused and stay as they are.', { count: planned.refusedCount })}
          >
            {planned.changed > 0 && (
              <div>
                <Button disabled={isBusy} onClick={() => store.mutate(planned)}>
                  {t('Change {{count}} rows', { count: planned.changed })}
                </Button>
              </div>
            )}
            {refusal === undefined && <RefusedRows document={document} named={named} outcome={planned} />}
            <ChangedRows document={document} named={named} outcome={planned} />
          </Report>
        )
      )}
    </>
  )
}

interface StoredProps {
  readonly outcome: Outcome
  readonly document: DocumentInfo
  readonly named: ReturnType<typeof nameOf>
}

/** What differs from what was seen before is told too: somebody may have changed rows meanwhile. */
const Stored = ({ outcome, document, named }: StoredProps) => (
  <Report
    outcome={outcome}
    changed={t('{{count}} rows were changed.', { count: outcome.changed })}
    refused={t('{{count}} rows were refused and are as they were.', { count: outcome.refusedCount })}
  >
    {outcome.changed > 0 && (
      <div>
        <UndoImport key={outcome.operation.id} operation={outcome.operation} />
      </div>
    )}
    <RefusedRows document={document} named={named} outcome={outcome} />
  </Report>
)

interface ReportProps {
  readonly outcome: Outcome
  readonly changed: string
  readonly refused: string
  readonly children: ReactNode
}

const Report = ({ outcome: { unchanged, refusedCount }, changed, refused, children }: ReportProps) => (
  <>
    <Group gap="0.25rem var(--mantine-spacing-lg)" className={classes.counts} role="status">
      <Text fw={600}>{changed}</Text>
      {unchanged > 0 && <Text c="dimmed">{t('{{count}} have this value already.', { count: unchanged })}</Text>}
      {refusedCount > 0 && <Text className={classes.refused}>{refused}</Text>}
    </Group>
    {children}
  </>
)

/** What people call a record, beside its key: the first text that a grid shows of it. */
function nameOf(document: DocumentInfo) {
  return columnsOf(document, viewOf({})).find(
    ({ kind, isKey, within, association }) => kind === 'text' && !isKey && !within && !association,
  )
}

/** By the groups that they stand in. */
function choicesOf(document: DocumentInfo, fields: ReturnType<typeof shapeOf>['fields']) {
  const groups = Map.groupBy(fields, ({ names }) => names.slice(0, -1).join('/'))
  return [...groups.values()].map((members) => ({
    group: groupTitle(members) || (document.schema.title ?? ''),
    items: members.map(({ path, titles }) => ({ value: path, label: titles.at(-1) ?? '' })),
  }))
}
