// What waits for the person, what he or she did last, what has changed in what is followed, and how the company stands.
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { useLivePage } from '../../service/changes.ts'
import { useDocuments } from '../../service/metadata.ts'
import { useCompany } from '../../service/session.ts'
import { Attention } from './attention.tsx'
import { Figures } from './figures.tsx'
import { Followed } from './followed.tsx'
import classes from './home.module.css'
import { LastDone } from './last-done.tsx'
import { LedgerPlot } from './ledger-plot.tsx'
import { Alone } from './part.tsx'

export function HomePage() {
  const { id, name } = useCompany()
  const { data: documents, error } = useDocuments()
  useLivePage(id)
  const mayRead = (document: string) => documents?.some((one) => one.name === document) ?? false
  return (
    <PageFrame title={name ?? id}>
      {error && <ProblemNote error={error} />}
      <Alone>
        <Figures company={id} />
      </Alone>
      <Alone>
        <Attention company={id} />
      </Alone>
      <div className={classes.columns}>
        <Alone>
          <LastDone company={id} />
        </Alone>
        <Alone>
          <Followed company={id} />
        </Alone>
      </div>
      {mayRead('general-ledger-transactions') && <LedgerPlot company={id} />}
    </PageFrame>
  )
}
