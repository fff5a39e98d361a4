// What may be done with the rows that are marked: it stands over the rows, so that nothing moves when one is marked.
import { Button, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { DocumentInfo } from '../../service/metadata.ts'
import type { Question } from '../../service/question.ts'
import { t } from '../../words/words.ts'
import { ChangeLink } from './change-link.tsx'
import { DownloadMenu } from './download-menu.tsx'
import classes from './grid.module.css'
import type { Marks } from './marks.ts'
import type { ShownColumn } from './view.ts'

const CompareSheet = lazy(() => import('./compare-sheet.tsx'))
/** More do not stand beside each other. */
const MOST_COMPARED = 6

interface MarkedBarProps {
  readonly company: string
  readonly document: DocumentInfo
  /** That of the marked rows. */
  readonly question: Question
  readonly columns: readonly ShownColumn[]
  readonly marks: Marks
  readonly onPrint: () => void
}

export function MarkedBar({ company, document, question, columns, marks, onPrint }: MarkedBarProps) {
  const [isCompared, setCompared] = useState(false)
  const { count, clear, filter } = marks
  if (count === 0) return null
  return (
    <>
      <div className={classes.marked} role="toolbar" aria-label={t('Marked rows')}>
        <Text size="sm" fw={600} role="status">
          {t('{{count}} rows are marked.', { count })}
        </Text>
        <ChangeLink company={company} document={document.name} filter={filter}>
          {t('Change…')}
        </ChangeLink>
        {count > 1 && count <= MOST_COMPARED && (
          <Button variant="default" onClick={() => setCompared(true)}>
            {t('Compare')}
          </Button>
        )}
        <DownloadMenu {...{ company, question, columns, onPrint }} />
        <Button variant="subtle" color="gray" onClick={clear}>
          {t('Unmark')}
        </Button>
      </div>
      <Suspense>
        {isCompared && <CompareSheet {...{ company, document, question }} onClose={() => setCompared(false)} />}
      </Suspense>
    </>
  )
}
