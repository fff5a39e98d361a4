import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { filter } from '#client'
import { ShownText } from '../../parts/shown-text.tsx'
import { type ArchivedDocument, type DocumentIndexType, documentTypesQuery } from '../../service/archive.ts'
import { fetchJson } from '../../service/client.ts'
import { addressOf } from '../../service/question.ts'
import { useMay } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import classes from './record.module.css'

interface FiledDocumentsProps {
  readonly company: string
  readonly document: string
  readonly recordKey: readonly string[]
}

const SHOWN = 10

/** Documents that have the record's code as an index value. */
export function FiledDocuments({ company, document, recordKey }: FiledDocumentsProps) {
  const isValue = document === 'attribute-values'
  return (
    <DocumentsUnder
      company={company}
      value={(isValue ? recordKey[1] : recordKey[0]) ?? ''}
      isIndex={({ attributeId }) => (isValue ? attributeId === recordKey[0] : attributeId !== '')}
    />
  )
}

interface DocumentsUnderProps {
  readonly company: string
  readonly value: string
  /** Whether the value may stand in an index of the archive. */
  readonly isIndex: (index: DocumentIndexType) => boolean
}

/** The newest documents that are filed under a value, as far as the reader may see the archive. */
export function DocumentsUnder({ company, value, isIndex }: DocumentsUnderProps) {
  const may = useMay()
  const isReader = may('objects:read/document-archive') && may('documents:read')
  const { data: types = [] } = useQuery({ ...documentTypesQuery(company), enabled: isReader })
  const places = types.flatMap(({ id, indexes }) =>
    indexes.filter(isIndex).map(({ sequenceNo }) => ({ id, sequenceNo })),
  )
  const { data: filed = [] } = useQuery({
    queryKey: [company, 'filed', value, places],
    enabled: places.length > 0,
    retry: false,
    queryFn: () =>
      fetchJson<Pick<ArchivedDocument, 'id' | 'title' | 'docType'>[]>(
        addressOf(company, {
          document: 'document-archive',
          select: 'id,title,docType',
          filter: places
            .map(({ id, sequenceNo }) =>
              String(
                filter`(docType eq ${id} and indexes/any(i: i/sequenceNo eq ${sequenceNo} and i/indexValue eq ${value}))`,
              ),
            )
            .join(' or '),
          orderBy: 'lastUpdated/updatedAt desc',
          limit: SHOWN,
        }),
      ),
  })
  if (filed.length === 0) return null
  const title = t('Documents filed under it')
  return (
    <section aria-label={title}>
      <Title order={2}>{title}</Title>
      <ul className={classes.steps}>
        {filed.map(({ id, title, docType }) => (
          <li key={id}>
            <Link to="/$company/documents/$id" params={{ company, id }}>
              <bdi>{title}</bdi>
            </Link>{' '}
            <ShownText text={types.find((type) => type.id === docType)?.description || docType} />
          </li>
        ))}
      </ul>
    </section>
  )
}
