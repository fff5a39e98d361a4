// A record: its fields, its lists, what is related to it, and all that has become of it.
import { Anchor, Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { command } from '../../parts/command.ts'
import { CopyButton, CopySign } from '../../parts/copy-button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Loading } from '../../parts/loading.tsx'
import { MirrorNote } from '../../parts/mirror-note.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { StarButton } from '../../parts/star-button.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { useUndo } from '../../parts/use-undo.ts'
import { BASE_PATH } from '../../service/base-path.ts'
import { useNamedDocument } from '../../service/dimensions.ts'
import { useOpened } from '../../service/kept.ts'
import { nameIn, sourceOf, useCodeNames } from '../../service/legal-values.ts'
import { useMayWrite } from '../../service/may-write.ts'
import { type DocumentInfo, type StateTransition, titleAt } from '../../service/metadata.ts'
import { recordKeyParts } from '../../service/record-key.ts'
import { fetchRow, permissionFor, recordPath } from '../../service/records.ts'
import { useCompany, useMay, useService } from '../../service/session.ts'
import { shellQuoted } from '../../service/shell-quote.ts'
import { plainDay, writingOf } from '../../service/written-values.ts'
import { useRecordTitle, useTitles } from '../../shell/document-title.ts'
import { sentence } from '../../words/sentence.tsx'
import { listText, t } from '../../words/words.ts'
import { RecordFields } from './fields.tsx'
import { FiledDocuments } from './filed-documents.tsx'
import { RecordLists } from './lists.tsx'
import classes from './record.module.css'
import { Relations } from './relations.tsx'
import { RecordSummary } from './summary.tsx'
import { transitionPatch, transitionsFrom } from './transitions.ts'
import { UsedIn } from './used-in.tsx'

export function RecordPage() {
  const { document = '', key = '' } = useParams({ strict: false }) as { document?: string; key?: string }
  return (
    <Suspense fallback={<Loading />}>
      <RecordView key={`${document} ${key}`} name={document} keyText={key} />
    </Suspense>
  )
}

function RecordView({ name, keyText }: { readonly name: string; readonly keyText: string }) {
  const { id: company } = useCompany()
  const document = useNamedDocument(name)
  const titleOf = useTitles()
  const key = recordKeyParts(keyText)
  const { asOf = '' } = useSearch({ strict: false }) as { asOf?: string }
  const navigate = useNavigate()
  const at = (instant: string) =>
    void navigate({ to: '.', search: (instant === '' ? {} : { asOf: instant }) as never, replace: true })
  const {
    data: row,
    error,
    isPending,
    refetch,
  } = useQuery({
    queryKey: [company, 'record', name, keyText, asOf],
    queryFn: async () => (await fetchRow(company, document, key, asOf)) ?? null,
  })
  const label = nameIn(row)
  const number = key.join(' / ')
  const kind = useRecordTitle(name)
  const heading = kind === undefined ? number : `${kind} ${number}`
  const kept = { document: name, key: keyText, title: label === '' ? key.join(' ') : label }
  useOpened(row ? kept : undefined)
  const mayWrite = useMayWrite()
  const mayUpdate = asOf === '' && mayWrite(name, 'update')
  const editing = mayUpdate ? { company, key: keyText } : undefined
  return (
    <PageFrame
      title={label === '' ? heading : label}
      beside={
        <span className={classes.key}>
          {label !== '' && <bdi>{number}</bdi>}
          <CopySign text={number} />
        </span>
      }
      description={
        <>
          <Anchor component={Link} to="/$company/grid/$document" params={{ company, document: name } as never}>
            {titleOf(name)}
          </Anchor>
          {row && <RecordSummary document={document} row={row} />}
          <MirrorNote document={name} />
        </>
      }
      actions={
        <>
          <StarButton page={kept} />
          <RecordActions
            company={company}
            described={document}
            recordKey={key}
            keyText={keyText}
            row={row}
            asOf={asOf}
          />
        </>
      }
    >
      <PastChoice asOf={asOf} onChange={at} />
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading lines={12} />}
      {row === null && (
        <Empty title={asOf === '' ? t('There is no such record') : t('There was no such record then')}>
          {t('It may have been deleted, or you may not see it. Its timeline is below, if it has one.')}
        </Empty>
      )}
      <div className={classes.columns}>
        {row && (
          <div className={classes.main}>
            <RecordFields document={document} of="record" row={row} />
            <RecordLists document={document} of="lines" row={row} editing={editing} />
            <RecordFields document={document} of="others" row={row} />
            <RecordLists document={document} of="others" row={row} />
          </div>
        )}
        <div className={classes.side}>
          {row && asOf === '' && <UsedIn company={company} document={document} row={row} />}
          {row && <Relations company={company} document={document} row={row} recordKey={key} />}
          {row && <FiledDocuments company={company} document={name} recordKey={key} />}
          <Timeline company={company} document={name} recordKey={key} onChoose={at} mayUndo={mayUpdate} />
        </div>
      </div>
    </PageFrame>
  )
}

const momentAt = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, '')

function PastChoice({ asOf, onChange }: { readonly asOf: string; readonly onChange: (asOf: string) => void }) {
  return (
    <div className={asOf === '' ? classes.past : `${classes.past} ${classes.isPast}`}>
      <DateField
        {...command(t('As it was on a day'))}
        label={t('As it was on')}
        value={asOf}
        placeholder={momentAt(Date.now())}
        onChange={(typed) => {
          // A day begins at the reader's midnight.
          const at = Date.parse(typed.includes('T') ? `${typed}Z` : `${typed}T00:00`)
          if (typed === '') onChange('')
          else if (plainDay(typed, writingOf()) === typed && !Number.isNaN(at)) onChange(momentAt(at))
        }}
      />
      {asOf !== '' && (
        <>
          <Text size="sm" role="status">
            {t('You see the past. It cannot be changed.')}
          </Text>
          <Button variant="default" onClick={() => onChange('')}>
            {t('Back to today')}
          </Button>
        </>
      )}
    </div>
  )
}

/** For programmers: beside what everybody does, and not before it. */
const QUIET = { variant: 'subtle', color: 'gray', px: 'xs' } as const

interface RecordActionsProps {
  readonly company: string
  readonly described: DocumentInfo
  readonly recordKey: readonly string[]
  readonly keyText: string
  readonly row: Readonly<Record<string, unknown>> | null | undefined
  readonly asOf: string
}

function RecordActions({ company, described, recordKey, keyText, row, asOf }: RecordActionsProps) {
  const { name: document } = described
  const may = useMay()
  const path = recordPath(document, recordKey)
  const moment = asOf === '' ? '' : `&asOf=${encodeURIComponent(asOf)}`
  const url = `${location.origin}${BASE_PATH}${path}?companyId=${encodeURIComponent(company)}${moment}`
  const update = permissionFor(document, 'update')
  const remove = permissionFor(document, 'delete')
  const navigate = useNavigate()
  return (
    <>
      {document === 'document-archive' && (
        <Button component={Link} to="/$company/documents/$id" params={{ company, id: recordKey[0] } as never}>
          {t('Open the document')}
        </Button>
      )}
      <Group gap="xs" visibleFrom="sm">
        {row && (
          <CopyButton {...QUIET} text={() => JSON.stringify(row, null, 2)}>
            {t('Copy JSON')}
          </CopyButton>
        )}
        {update !== undefined && (
          <CopyButton {...QUIET} text={`curl -s -u CLIENT:SECRET ${shellQuoted(url)}`}>
            {t('Copy curl')}
          </CopyButton>
        )}
      </Group>
      {row &&
        asOf === '' &&
        update !== undefined &&
        may(update) &&
        transitionsFrom(described, row).map((one) => (
          <StateButton key={one.to} document={described} path={path} recordKey={recordKey} transition={one} />
        ))}
      {row && asOf === '' && remove !== undefined && may(remove) && (
        <DeleteButton
          path={path}
          what={recordKey.join(' / ')}
          consequence={t('It is closed or removed, as the rules of its document say. Its timeline stays.')}
          onDeleted={() => void navigate({ to: '/$company/grid/$document', params: { company, document } })}
        />
      )}
      {row && asOf === '' && update !== undefined && may(update) && (
        <Button
          component={Link}
          to="/$company/record/$document/$key/edit"
          params={{ company, document, key: keyText } as never}
          {...command(t('Edit'), 'e')}
        >
          {t('Edit')}
        </Button>
      )}
    </>
  )
}

interface StateButtonProps {
  readonly document: DocumentInfo
  readonly path: string
  readonly recordKey: readonly string[]
  readonly transition: StateTransition
}

/** Says what will be, and what must be filled by then; and what is missing where the service refuses. */
function StateButton({ document, path, recordKey, transition }: StateButtonProps) {
  const service = useService()
  const { id: company } = useCompany()
  const queries = useQueryClient()
  const { saved } = useUndo(document, recordKey)
  const [isOpen, setOpen] = useState(false)
  const { to, requires } = transition
  const name = useStateName(document, to)
  const title = transition.title ?? t('Change to {{state}}', { state: name })
  const change = useMutation({
    mutationFn: () => service.request({ method: 'PATCH', path, body: transitionPatch(document, transition) }),
    onSuccess: async ({ headers }) => {
      setOpen(false)
      saved(headers.get('etag'))
      await queries.invalidateQueries({ queryKey: [company] })
    },
  })
  return (
    <>
      <Button variant="light" onClick={() => setOpen(true)} {...command(title)}>
        {title}
      </Button>
      <Sheet title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Text>{sentence('The record becomes {{state}}.', { state: <bdi>{name}</bdi> })}</Text>
        {requires.length > 0 && (
          <Text size="sm" c="dimmed">
            {t('Filled by then: {{fields}}.', { fields: listText(requires.map((one) => titleAt(document, one))) })}
          </Text>
        )}
        {change.error && <ProblemNote error={change.error} />}
        <Group gap="xs" mt="md">
          <Button loading={change.isPending} onClick={() => change.mutate()}>
            {title}
          </Button>
          <Button variant="default" onClick={() => setOpen(false)}>
            {t('Leave it')}
          </Button>
        </Group>
      </Sheet>
    </>
  )
}

/** What people call a state: its text in the value list, or in a record that has it. */
function useStateName({ name, fields }: DocumentInfo, state: string): string {
  const field = fields.find(({ states }) => states)
  const source = field && sourceOf(field)
  const wanted = field && source ? [{ source, codes: [state], rows: { document: name, field } }] : []
  return useCodeNames(wanted)[0]?.get(state) || state
}
