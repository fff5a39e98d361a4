// Some figures that say how the company stands: those that it declares, and those that the person has chosen. Where
// nobody has, those of the documents with amounts.
import { CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShownText } from '../../parts/shown-text.tsx'
import { type Figure, figuresIn, isSameFigure, titleOfFigure } from '../../service/figures.ts'
import { type DocumentInfo, documentQuery, useDescriptions, useDocuments } from '../../service/metadata.ts'
import { useCompany } from '../../service/session.ts'
import { useSettings } from '../../service/settings.ts'
import { useTitles } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'
import { amountFields } from '../balances/view.ts'
import { HistoryLine } from './history-line.tsx'
import classes from './home.module.css'
import { automaticFigure, readFigure } from './read-figure.ts'

const MOST_AUTOMATIC = 3

export function Figures({ company }: { readonly company: string }) {
  const { data: documents = [] } = useDocuments()
  const { figures: declared = [] } = useCompany()
  const [settings, change] = useSettings()
  const own = figuresIn(settings.figures)
  const automatic = useAutomatic(declared.length + own.length === 0)
  const isThere = ({ document }: Figure) => documents.some(({ name }) => name === document)
  const shown = [...declared, ...own, ...automatic].filter(isThere)
  const remove = (figure: Figure) =>
    change((before) => ({
      ...before,
      figures: figuresIn(before.figures).filter((one) => !isSameFigure(one, figure)),
    }))
  if (shown.length === 0) return null
  return (
    <ul className={classes.figures} aria-label={t('Figures')}>
      {shown.map((figure) => (
        <Tile
          key={JSON.stringify(figure)}
          company={company}
          figure={figure}
          onRemove={own.includes(figure) ? () => remove(figure) : undefined}
        />
      ))}
    </ul>
  )
}

function useAutomatic(isAsked: boolean): readonly Figure[] {
  const { data: documents = [] } = useDocuments()
  const names = isAsked ? documents.map(({ name }) => name) : []
  const described = useDescriptions(names)
  return described.flatMap(({ data }) => (data && automaticFigure(data)) ?? []).slice(0, MOST_AUTOMATIC)
}

interface TileProps {
  readonly company: string
  readonly figure: Figure
  /** Undefined for figures that the person has not chosen. */
  readonly onRemove: (() => void) | undefined
}

/** A figure that cannot be read is missing, unless its person could not remove it then. */
function Tile({ company, figure, onRemove }: TileProps) {
  const { document } = figure
  const titleOf = useTitles()
  const { data: info } = useQuery(documentQuery(company, document))
  const { data, isError } = useQuery({
    queryKey: [company, 'figure', figure],
    enabled: info !== undefined,
    queryFn: () => readFigure(company, figure, info as DocumentInfo),
  })
  if (isError && !onRemove) return null
  const title = info ? titleOfFigure(figure, info) : (figure.title ?? titleOf(document))
  return (
    <li>
      <Link {...linkOf(company, figure, info)} className={classes.figure}>
        <span>
          <ShownText text={title} length={80} />
        </span>
        <strong>{data?.value ?? (isError ? '\u2013' : '\u2026')}</strong>
        {figure.by !== undefined && <HistoryLine history={data?.history ?? []} textOf={data?.textOf ?? String} />}
        <span>{isError ? t('It cannot be read.') : (data?.note ?? '\u2026')}</span>
      </Link>
      {onRemove && (
        <CloseButton
          className={classes.remove}
          size={28}
          iconSize={14}
          aria-label={t('Remove {{value}}', { value: title })}
          title={t('Remove {{value}}', { value: title })}
          onClick={onRemove}
        />
      )}
    </li>
  )
}

/** To the balances of what is summed, or to the records. */
function linkOf(company: string, { document, filter, sum, by }: Figure, info: DocumentInfo | undefined) {
  const params = { company, document } as never
  const isSummed = info !== undefined && amountFields(info).some(({ path }) => path === sum)
  const search = { ...(filter ? { filter } : {}), ...(isSummed ? { amount: sum, ...(by ? { columns: by } : {}) } : {}) }
  return isSummed
    ? ({ to: '/$company/balances/$document', params, search: search as never } as const)
    : ({ to: '/$company/grid/$document', params, search: search as never } as const)
}
