// The documents of a mirror in one table. What is wrong with one stands below it, in the width of the table.
import { Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { numberText, timeText } from '../../parts/field-value.tsx'
import { LoadBar } from '../../parts/mirror-note.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { agoText, type MirroredDocument } from '../../service/mirror.ts'
import { useTitles } from '../../shell/document-title.ts'
import { sentence } from '../../words/sentence.tsx'
import { t } from '../../words/words.ts'
import classes from './mirror.module.css'

interface DocumentsProps {
  readonly company: string
  readonly documents: readonly MirroredDocument[]
}

export function Documents({ company, documents }: DocumentsProps) {
  if (documents.length === 0) return null
  return (
    <Table fz="sm" className={classes.documents} aria-label={t('Documents of the mirror')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Document')}</Table.Th>
          <Table.Th className={classes.number}>{t('Here')}</Table.Th>
          <Table.Th className={classes.number}>{t('There')}</Table.Th>
          <Table.Th>{t('As of')}</Table.Th>
          <Table.Th className={classes.wide}>{t('Removals checked')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      {documents.map((mirrored) => (
        <OneDocument key={mirrored.name} company={company} mirrored={mirrored} />
      ))}
    </Table>
  )
}

interface OneDocumentProps {
  readonly company: string
  readonly mirrored: MirroredDocument
}

function OneDocument({ company, mirrored }: OneDocumentProps) {
  const { name, phase, rows, sourceRows, asOf, ageSeconds, sweptAt } = mirrored
  const titleOf = useTitles()
  return (
    <Table.Tbody>
      <Table.Tr>
        <Table.Th scope="row">
          <Link to="/$company/grid/$document" params={{ company, document: name }} className={classes.title}>
            {titleOf(name)}
          </Link>
          {phase === 'following' && (
            <div className={classes.narrow}>
              {sentence('Removals checked {{ago}}', {
                ago: <Ago instant={sweptAt} seconds={secondsSince(sweptAt)} />,
              })}
            </div>
          )}
        </Table.Th>
        <Table.Td className={classes.number}>{numberText(String(rows))}</Table.Td>
        <Table.Td className={classes.number}>
          {sourceRows === undefined ? '–' : numberText(String(sourceRows))}
        </Table.Td>
        <Table.Td>{phase === 'following' ? <Ago instant={asOf} seconds={ageSeconds} /> : phaseText(phase)}</Table.Td>
        <Table.Td className={classes.wide}>
          {phase === 'following' && <Ago instant={sweptAt} seconds={secondsSince(sweptAt)} />}
        </Table.Td>
      </Table.Tr>
      <Remarks company={company} mirrored={mirrored} title={titleOf(name)} />
    </Table.Tbody>
  )
}

const phaseText = (phase: 'loading' | 'absent'): string => (phase === 'loading' ? t('Loading') : t('Not there'))

function Ago({ instant, seconds }: { readonly instant: string | undefined; readonly seconds: number | undefined }) {
  if (instant === undefined || seconds === undefined) return <>–</>
  return (
    <time dateTime={instant} title={`${timeText(instant)} UTC`}>
      {agoText(seconds)}
    </time>
  )
}

const secondsSince = (instant: string | undefined): number | undefined =>
  instant === undefined ? undefined : Math.max(0, (Date.now() - Date.parse(instant)) / 1000)

const sentenceOf = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

function Remarks({ company, mirrored, title }: OneDocumentProps & { readonly title: string }) {
  const { name, phase, misfits, problem } = mirrored
  const bar =
    phase === 'loading' && mirrored.sourceRows ? (
      <LoadBar mirrored={mirrored} label={t('{{document}}, loaded', { document: title })} />
    ) : null
  if (!bar && misfits === 0 && problem === '') return null
  return (
    <Table.Tr className={classes.remarks}>
      <Table.Td colSpan={5}>
        {bar}
        {problem !== '' && (
          <p className={classes.problem}>
            <ShownText text={sentenceOf(problem.replace(`${name}: `, ''))} length={200} />
          </p>
        )}
        {misfits > 0 && (
          <Link to="/$company/mirror/$document" params={{ company, document: name }}>
            {t('{{count}} records could not be kept as they came', { count: misfits })}
          </Link>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
