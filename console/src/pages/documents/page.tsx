// The archive: documents found by words and type, and files dropped to be filed.
import { Button, NativeSelect, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { timeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { IndexValue, MarkedText } from '../../parts/marked-text.tsx'
import { MirrorNote } from '../../parts/mirror-note.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import {
  type ArchivedDocument,
  type DocumentType,
  documentTypesQuery,
  fetchDocuments,
  indexTypeOf,
} from '../../service/archive.ts'
import { type IndexTexts, useIndexTexts } from '../../service/index-texts.ts'
import { useCompany, useMay } from '../../service/session.ts'
import { sentence } from '../../words/sentence.tsx'
import { t } from '../../words/words.ts'
import classes from './documents.module.css'
import { FileDrop } from './file-drop.tsx'
import { Thumbnail } from './thumbnail.tsx'

interface View {
  readonly search?: string
  readonly doctype?: string
}

const PAUSE_MS = 300

export function DocumentsPage() {
  const { id: company } = useCompany()
  const may = useMay()
  const { search = '', doctype = '' } = useSearch({ strict: false }) as View
  const navigate = useNavigate()
  const change = (view: View) => {
    const next = Object.fromEntries(Object.entries({ search, doctype, ...view }).filter(([, value]) => value !== ''))
    void navigate({ to: '.', search: next as never, replace: true })
  }
  const { data: types = [] } = useQuery(documentTypesQuery(company))
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [company, 'documents-found', search, doctype],
    initialPageParam: 0,
    queryFn: ({ pageParam }) => fetchDocuments(company, { search, doctype, start: pageParam }),
    getNextPageParam: ({ total }, pages) => {
      const count = pages.reduce((sum, { items }) => sum + items.length, 0)
      return count < total && pages.at(-1)?.items.length !== 0 ? count : undefined
    },
  })
  const total = data?.pages[0]?.total
  return (
    <PageFrame
      title={t('Documents')}
      description={
        <>
          <Text size="sm" c="dimmed" aria-live="polite">
            {total === undefined ? t('Searching…') : t('{{count}} found, the newest first.', { count: total })}
          </Text>
          <MirrorNote document="document-archive" />
        </>
      }
    >
      {may('documents:create') && <FileDrop company={company} types={types} onFiled={() => void refetch()} />}
      <search className={classes.questions}>
        <SearchWords search={search} onChange={change} />
        <NativeSelect
          label={t('Type')}
          value={doctype}
          data={[
            { value: '', label: t('All types') },
            ...types.map(({ id, description }) => ({ value: id, label: `${description} (${id})` })),
          ]}
          onChange={({ currentTarget }) => change({ doctype: currentTarget.value })}
        />
      </search>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {isPending && !error && <Loading lines={12} />}
      {total === 0 && <Empty title={t('No document is found')}>{t('Search for fewer words, or in all types.')}</Empty>}
      <ul className={classes.found} aria-label={t('Documents found')}>
        {data?.pages.map(({ items }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pages only follow each other.
          <FoundDocuments key={at} company={company} documents={items} types={types} search={search} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('More documents')}
        </Button>
      )}
    </PageFrame>
  )
}

function SearchWords({ search, onChange }: { readonly search: string; readonly onChange: (view: View) => void }) {
  const [typed, setTyped] = useState(search)
  const ask = useDebouncedCallback((words: string) => onChange({ search: words.trim() }), PAUSE_MS)
  useEffect(() => () => ask.flush(), [ask])
  return (
    <TextInput
      type="search"
      label={t('Words')}
      description={t('In titles, index values, file names, and the text of files. invoi* finds all that begin so.')}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        ask(value)
      }}
    />
  )
}

interface FoundDocumentsProps {
  readonly company: string
  readonly documents: readonly ArchivedDocument[]
  /** Empty until they are known. */
  readonly types: readonly DocumentType[]
  readonly search: string
}

function FoundDocuments({ company, documents, types, search }: FoundDocumentsProps) {
  const texts = useIndexTexts(documents, types)
  return documents.map((document) => (
    <FoundDocument
      key={document.id}
      company={company}
      document={document}
      type={types.find(({ id }) => id === document.docType)}
      texts={texts}
      search={search}
    />
  ))
}

interface FoundDocumentProps {
  readonly company: string
  readonly document: ArchivedDocument
  /** Absent until it is known. */
  readonly type: DocumentType | undefined
  readonly texts: IndexTexts
  readonly search: string
}

function FoundDocument({ company, document, type, texts, search }: FoundDocumentProps) {
  const { id, title, description, docType, indexes, fileName, revisionNo, lastUpdate } = document
  const filled = indexes.filter(({ indexValue }) => indexValue !== '')
  return (
    <li className={classes.item}>
      <Thumbnail company={company} document={document} />
      <div className={classes.about}>
        <Link
          to="/$company/documents/$id"
          params={{ company, id }}
          search={(search === '' ? {} : { search }) as never}
          className={classes.title}
        >
          <MarkedText text={title} search={search} />
        </Link>
        {description !== '' && (
          <Text size="sm" lineClamp={2}>
            <MarkedText text={description} search={search} />
          </Text>
        )}
        <Text size="sm" c="dimmed">
          <span title={docType}>{type?.description ?? docType}</span>
          {filled.map(({ sequenceNo, indexValue }) => (
            <span key={sequenceNo} title={indexTypeOf(type, sequenceNo)?.name}>
              {' · '}
              <IndexValue value={indexValue} text={texts(docType, sequenceNo, indexValue)} search={search} />
            </span>
          ))}
        </Text>
        <Text size="sm" c="dimmed">
          {sentence('{{file}}, revision {{number}}, {{time}} by {{user}}', {
            file: <MarkedText text={fileName} search={search} />,
            number: revisionNo,
            time: timeText(lastUpdate.updatedAt),
            user: <bdi>{lastUpdate.updatedBy}</bdi>,
          })}
        </Text>
      </div>
    </li>
  )
}
