// The records of a document that could not be kept as they came, member by member.
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { documentQuery, titleAt } from '../../service/metadata.ts'
import { misfitsQuery, useMirrored } from '../../service/mirror.ts'
import { recordKeyText } from '../../service/record-key.ts'
import { useCompany } from '../../service/session.ts'
import { useTitles } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'

export function MisfitsPage() {
  const { document = '' } = useParams({ strict: false }) as { document?: string }
  const { id: company } = useCompany()
  const titleOf = useTitles()
  const { data, error, refetch } = useQuery(misfitsQuery(company, document))
  const { data: described } = useQuery(documentQuery(company, document))
  const { misfits = 0 } = useMirrored(document) ?? {}
  const rows = (data ?? []).flatMap(({ key, findings }) =>
    findings.map((finding) => ({ ...finding, key: key.map(String) })),
  )
  return (
    <PageFrame
      title={t('{{document}}: not kept as it came', { document: titleOf(document) })}
      description={
        <>
          {t('What the source has in these fields does not fit the document of the setup.')}{' '}
          <Link to="/$company/mirror" params={{ company }}>
            {t('Back to the mirror')}
          </Link>
        </>
      }
    >
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.length === 0 && (
        <Empty title={t('All is kept as it came')}>{t('Nothing of these records was left out.')}</Empty>
      )}
      {data && misfits > data.length && (
        <Text size="sm">{t('The first {{shown}} of {{count}} records.', { shown: data.length, count: misfits })}</Text>
      )}
      {rows.length > 0 && (
        <DataTable
          label={t('What could not be kept')}
          rows={rows}
          keyOf={({ key, member }) => `${recordKeyText(key)} ${member}`}
          columns={{
            [t('Record')]: ({ key, member }) =>
              // Nothing of it is here.
              member === '' ? (
                <ShownText text={key.join(' / ')} />
              ) : (
                <Link
                  to="/$company/record/$document/$key"
                  params={{ company, document, key: recordKeyText(key) } as never}
                >
                  <ShownText text={key.join(' / ')} />
                </Link>
              ),
            [t('Field')]: ({ member }) =>
              member === '' ? (
                t('The whole record')
              ) : (
                <span title={member}>
                  <ShownText text={described ? titleAt(described, `/${member}`) : ''} />
                </span>
              ),
            [t('Reason')]: ({ message }) => <ShownText text={message} />,
          }}
        />
      )}
    </PageFrame>
  )
}
