// What is wrong with every row is said once: it is the columns that are to be changed.
import { Button, Text } from '@mantine/core'
import type { DocumentInfo } from '../../service/metadata.ts'
import { t } from '../../words/words.ts'
import type { CellFinding, RowFindings } from './findings.ts'
import classes from './import.module.css'
import { sourceAt, titlesAt } from './needed.ts'
import type { Mapping } from './table.ts'

const nameOf = ({ heading, path, message }: CellFinding): string => JSON.stringify([heading, path, message])

export interface SplitFindings {
  readonly common: readonly CellFinding[]
  /** Without those that are common. */
  readonly byRow: RowFindings
}

export function splitFindings(findings: RowFindings, rowCount: number): SplitFindings {
  const all = [...findings.values()].flat()
  const counts = Map.groupBy(all, nameOf)
  const common = [...counts.values()].filter(({ length }) => rowCount > 1 && length >= rowCount)
  const names = new Set(common.flat().map(nameOf))
  const byRow = new Map([...findings].map(([number, some]) => [number, some.filter((one) => !names.has(nameOf(one)))]))
  return { common: common.flatMap(([first]) => first ?? []), byRow }
}

interface CommonFindingsProps {
  readonly document: DocumentInfo
  readonly mapping: Mapping
  readonly findings: readonly CellFinding[]
  readonly onColumns: () => void
}

export function CommonFindings({ document, mapping, findings, onColumns }: CommonFindingsProps) {
  // Codes that are not known are shown by themselves.
  const shown = findings.filter(({ heading, path }) => heading === undefined || !sourceAt(document, mapping, path))
  if (shown.length === 0) return null
  return (
    <section className={classes.wrong} aria-label={t('Wrong in every row')}>
      <Text fw={600}>{t('Wrong in every row')}</Text>
      <ul className={classes.common}>
        {shown.map(({ path, message }) => (
          <li key={path + message}>
            {path !== '' && <strong>{titlesAt(document, mapping, path).join(' / ')}: </strong>}
            <bdi>{message}</bdi>
          </li>
        ))}
      </ul>
      <div>
        <Button variant="default" onClick={onColumns}>
          {t('Back to the columns')}
        </Button>
      </div>
    </section>
  )
}
