// What was imported lately, each to be taken back as one.
import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ScrollBox } from '../../parts/data-table.tsx'
import { timeText } from '../../parts/field-value.tsx'
import { listImports } from '../../service/imports.ts'
import { useCompany } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import classes from './import.module.css'
import { UndoImport } from './undo-import.tsx'

const SHOWN = 5

interface RecentImportsProps {
  readonly document: string
  /** Changes of many records, instead of imports. */
  readonly ofChanges?: boolean
}

export function RecentImports({ document, ofChanges = false }: RecentImportsProps) {
  const { id: company } = useCompany()
  const title = ofChanges ? t('Recent changes of many rows') : t('Recent imports')
  const { data = [] } = useQuery({
    queryKey: [company, 'imports', document, ofChanges],
    queryFn: () => listImports(company, document, ofChanges),
  })
  if (data.length === 0) return null
  return (
    <section aria-label={title}>
      <Title order={2} mb="xs">
        {title}
      </Title>
      <ScrollBox label={title}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('When')}</th>
              <th scope="col">{t('Who')}</th>
              <th scope="col" className={classes.number}>
                {t('Rows')}
              </th>
              <th scope="col">{t('Undo')}</th>
            </tr>
          </thead>
          <tbody>
            {data.slice(0, SHOWN).map((operation) => (
              <tr key={operation.id}>
                <td>{timeText(operation.createdAt)}</td>
                <td>
                  <bdi>{operation.userId}</bdi>
                </td>
                <td className={classes.number}>{operation.written}</td>
                <td>
                  <UndoImport operation={operation} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  )
}
