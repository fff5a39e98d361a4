import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DataTable } from '../../parts/data-table.tsx'
import { sizeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { administrationQuery } from '../../service/administration.ts'
import { t } from '../../words/words.ts'

interface CompanySize {
  readonly id: string
  readonly name: string
  readonly fileBytes: number
  readonly journalBytes: number
  readonly quotas: { readonly fileBytes?: number; readonly journalBytes?: number }
}

/** What each company keeps, and how much its setup lets it keep. */
export function CompanySizes() {
  const { data, error } = useQuery(administrationQuery<{ companies: readonly CompanySize[] }>('/companies'))
  if (error) return <ProblemNote error={error} />
  if (!data) return <Loading lines={3} />
  return (
    <DataTable
      label={t('What companies keep')}
      rows={data.companies}
      keyOf={({ id }) => id}
      columns={{
        [t('Company')]: ({ name }) => name,
        [t('Files')]: ({ fileBytes, quotas }) => <Used bytes={fileBytes} quota={quotas.fileBytes} />,
        [t('Change log')]: ({ journalBytes, quotas }) => <Used bytes={journalBytes} quota={quotas.journalBytes} />,
      }}
    />
  )
}

const ALMOST = 0.9

function Used({ bytes, quota }: { readonly bytes: number; readonly quota: number | undefined }) {
  if (quota === undefined) return sizeText(bytes)
  const isFull = bytes >= quota * ALMOST
  return (
    <>
      <Text span size="sm" fw={isFull ? 600 : undefined}>
        {t('{{used}} of {{quota}}', { used: sizeText(bytes), quota: sizeText(quota) })}
      </Text>{' '}
      <meter min={0} max={quota} high={quota * ALMOST} value={bytes} aria-label={t('Part of the quota')} />
    </>
  )
}
