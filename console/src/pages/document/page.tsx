// One document: what it is filed by, its file as a picture of itself, and its revisions beside each other.
import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { dateText, FieldValue, timeText } from '../../parts/field-value.tsx'
import { Folded } from '../../parts/folded.tsx'
import { Loading } from '../../parts/loading.tsx'
import { IndexValue, MarkedText } from '../../parts/marked-text.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import {
  type ArchivedDocument,
  type DocumentType,
  documentPath,
  documentTypesQuery,
  fetchDocument,
  indexTypeOf,
} from '../../service/archive.ts'
import { useIndexTexts } from '../../service/index-texts.ts'
import { useOpened } from '../../service/kept.ts'
import { useCompany, useMay } from '../../service/session.ts'
import { sentence } from '../../words/sentence.tsx'
import { t } from '../../words/words.ts'
import { AddRevision } from './add-revision.tsx'
import { DescriptionForm } from './description-form.tsx'
import classes from './document.module.css'
import { Viewer } from './viewer.tsx'

interface View {
  /** Words that are marked. */
  readonly search?: string
  readonly revision?: number
  /** A second revision beside it. */
  readonly beside?: number
}

export function DocumentPage() {
  const { id: company } = useCompany()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { data, error, refetch } = useQuery({
    queryKey: [company, 'document', id],
    queryFn: () => fetchDocument(company, id),
  })
  if (error) {
    return (
      <PageFrame title={t('Document')}>
        <ProblemNote error={error} onRetry={() => void refetch()} />
      </PageFrame>
    )
  }
  if (!data) return <Loading lines={12} />
  return <Shown key={id} company={company} document={data.record} tag={data.tag} />
}

interface ShownProps {
  readonly company: string
  readonly document: ArchivedDocument
  readonly tag: string
}

function Shown({ company, document, tag }: ShownProps) {
  const { id, title, docType, revisionNo, status } = document
  useOpened({ document: 'document-archive', key: id, title })
  const may = useMay()
  const navigate = useNavigate()
  const { search = '', ...view } = useSearch({ strict: false }) as View
  const { data: types } = useQuery(documentTypesQuery(company))
  const type = types?.find((one) => one.id === docType)
  const [isEdited, setEdited] = useState(false)
  const mayChange = may('documents:update') && status !== 'T'
  const revision = legal(view.revision, revisionNo) ?? revisionNo
  const beside = legal(view.beside, revisionNo)
  return (
    <PageFrame
      title={title}
      description={
        <>
          <Link to="/$company/documents" params={{ company }} className={classes.back}>
            {t('Documents')}
          </Link>{' '}
          <span title={docType}>{type?.description ?? docType}</span>
          {status === 'T' && ` (${t('deleted')})`}
        </>
      }
      actions={
        mayChange && (
          <>
            <Folded>
              {may('documents:delete') && (
                <DeleteButton
                  path={documentPath(id)}
                  tag={tag}
                  what={title}
                  consequence={t('It leaves the lists; by its id it can still be read.')}
                  onDeleted={() => void navigate({ to: '/$company/documents', params: { company } })}
                />
              )}
              <AddRevision company={company} id={id} tag={tag} />
            </Folded>
            <Button onClick={() => setEdited(!isEdited)} aria-expanded={isEdited}>
              {t('Edit')}
            </Button>
          </>
        )
      }
    >
      {isEdited ? (
        <DescriptionForm company={company} document={document} tag={tag} onEnd={() => setEdited(false)} />
      ) : (
        <Filing document={document} type={type} search={search} />
      )}
      <RevisionChoice newest={revisionNo} shown={revision} beside={beside} />
      <div className={beside === undefined ? classes.one : classes.two}>
        <Viewer company={company} id={id} revisionNo={revision} fileName={document.fileName} search={search} />
        {beside !== undefined && (
          <Viewer company={company} id={id} revisionNo={beside} fileName={document.fileName} search={search} />
        )}
      </div>
      <Timeline company={company} document="document-archive" recordKey={[id]} />
    </PageFrame>
  )
}

const legal = (number: number | undefined, newest: number): number | undefined =>
  Number.isInteger(number) && Number(number) >= 1 && Number(number) <= newest ? number : undefined

interface FilingProps {
  readonly document: ArchivedDocument
  /** Absent until it is known. */
  readonly type: DocumentType | undefined
  readonly search: string
}

function Filing({ document, type, search }: FilingProps) {
  const { docType, description, indexes, expiryDate, lastUpdate } = document
  const texts = useIndexTexts([document], type ? [type] : [])
  return (
    <dl className={classes.filing}>
      {description !== '' && (
        <>
          <dt>{t('Description')}</dt>
          <dd>
            <MarkedText text={description} search={search} />
          </dd>
        </>
      )}
      {indexes.map(({ sequenceNo, indexValue }) => (
        <div key={sequenceNo} className={classes.pair}>
          <dt>{indexTypeOf(type, sequenceNo)?.name ?? t('Index {{number}}', { number: sequenceNo })}</dt>
          <dd>
            {indexValue === '' ? (
              <FieldValue value="" kind="text" />
            ) : (
              <IndexValue value={indexValue} text={texts(docType, sequenceNo, indexValue)} search={search} />
            )}
          </dd>
        </div>
      ))}
      <dt>{t('Expires')}</dt>
      <dd>{expiryDate.startsWith('2099') ? t('never') : dateText(expiryDate)}</dd>
      <dt>{t('Changed last')}</dt>
      <dd>
        {sentence('{{time}} by {{user}}', {
          time: timeText(lastUpdate.updatedAt),
          user: <ShownText text={lastUpdate.updatedBy} />,
        })}
      </dd>
    </dl>
  )
}

interface RevisionChoiceProps {
  readonly newest: number
  readonly shown: number
  readonly beside: number | undefined
}

function RevisionChoice({ newest, shown, beside }: RevisionChoiceProps) {
  const navigate = useNavigate()
  const change = (view: View) =>
    void navigate({ to: '.', search: ((before: View) => ({ ...before, ...view })) as never, replace: true })
  if (newest === 1) return <Text size="sm">{t('There is one revision.')}</Text>
  const numbers = Array.from({ length: newest }, (_, place) => String(newest - place))
  return (
    <Group gap="sm" align="end">
      <NativeSelect
        label={t('Revision')}
        data={numbers}
        value={String(shown)}
        onChange={({ currentTarget }) => change({ revision: Number(currentTarget.value) })}
      />
      <NativeSelect
        label={t('Beside it')}
        data={[{ value: '', label: t('Nothing') }, ...numbers.filter((number) => number !== String(shown))]}
        value={beside === undefined ? '' : String(beside)}
        onChange={({ currentTarget: { value } }) =>
          change({ beside: value === '' ? (undefined as never) : Number(value) })
        }
      />
    </Group>
  )
}
