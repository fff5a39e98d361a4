// Which records have amounts that can be summed.
import { Link } from '@tanstack/react-router'
import { Empty } from '../../parts/empty.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { useDescriptions, useDocuments } from '../../service/metadata.ts'
import { useCompany } from '../../service/session.ts'
import { useTitles } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'
import classes from './balances.module.css'
import { amountFields } from './view.ts'

export function BalancesStart() {
  const { id: company } = useCompany()
  const { data: documents, error } = useDocuments()
  const titleOf = useTitles()
  const described = useDescriptions(documents?.map(({ name }) => name) ?? [])
  const isPending = !documents || described.some((one) => one.isPending)
  const summed = described.flatMap(({ data }) => (data && amountFields(data).length > 0 ? [data] : []))
  return (
    <PageFrame title={t('Balances')} description={t('Amounts by any two members of a record, with subtotals.')}>
      {error && <ProblemNote error={error} />}
      {isPending && !error && <Loading />}
      {!isPending && summed.length === 0 && (
        <Empty title={t('Nothing to sum')}>{t('No records that you may read have amounts that can be summed.')}</Empty>
      )}
      <ul className={classes.list}>
        {summed.map((document) => (
          <li key={document.name}>
            <Link to="/$company/balances/$document" params={{ company, document: document.name }}>
              {titleOf(document.name)}
            </Link>
            <div className={classes.meaning}>
              {amountFields(document)
                .map(({ titles }) => titles.at(-1))
                .join(', ')}
            </div>
          </li>
        ))}
      </ul>
    </PageFrame>
  )
}
