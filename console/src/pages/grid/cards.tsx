// Rows on a phone: a card each, with what the record is called, its key, and what tells most of it.
import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment, useRef } from 'react'
import { FieldTitle } from '../../parts/field-title.tsx'
import { FieldValue } from '../../parts/field-value.tsx'
import { nameAmong } from '../../service/legal-values.ts'
import { type DocumentInfo, type FieldInfo, isNumeric } from '../../service/metadata.ts'
import { t } from '../../words/words.ts'
import { CellValue } from './cell-value.tsx'
import { type ColumnPlaces, useColumnPlaces } from './column-places.ts'
import classes from './grid.module.css'
import { valuesOf } from './list-columns.ts'
import type { Marks } from './marks.ts'
import { useReferenceNames } from './reference-names.ts'
import { drawnHeight } from './row-scroll.ts'
import { keyOf, pageOf, type Row, useSums } from './rows.ts'
import { sumText } from './sum-row.tsx'
import { type ShownRows, useSeenRows } from './use-rows.ts'
import type { ShownColumn } from './view.ts'

/** As `.card` has it. */
const CARD_HEIGHT = 116
const OVERSCAN = 4
const TELLING = 4

interface CardsProps extends ShownRows {
  readonly document: DocumentInfo
  readonly columns: readonly ShownColumn[]
  readonly sums: readonly string[]
  readonly marks: Marks
}

export function Cards(props: CardsProps) {
  const { company, document, columns, count, marks } = props
  const scroller = useRef<HTMLElement>(null)
  const { seen, rowAt, shown, topOf } = useSeenRows(props, scroller, CARD_HEIGHT, OVERSCAN)
  const names = useReferenceNames(columns, shown)
  const parts = partsOf(document, columns)
  return (
    <>
      <CardSums {...props} places={useColumnPlaces(columns, shown)} />
      <section
        ref={scroller}
        className={classes.scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        aria-label={t('Rows of {{title}}', { title: document.schema.title ?? document.name })}
      >
        <ul className={classes.cards} style={{ height: drawnHeight(count, CARD_HEIGHT) }}>
          {seen.map((item) => {
            const row = rowAt(item.index)
            return (
              <li
                key={item.index}
                aria-posinset={item.index + 1}
                aria-setsize={count}
                className={classes.card}
                data-marked={(row && marks.has(row)) || undefined}
                style={{ transform: `translateY(${topOf(item)}px)` }}
              >
                {row ? <Card {...{ company, document, row, names, marks }} {...parts} /> : '…'}
              </li>
            )
          })}
        </ul>
      </section>
    </>
  )
}

interface Parts {
  readonly name: ShownColumn | undefined
  readonly keys: readonly FieldInfo[]
  readonly telling: readonly ShownColumn[]
}

/** Its state and amounts tell most, and then what comes first. */
function partsOf({ fields }: DocumentInfo, columns: readonly ShownColumn[]): Parts {
  const keys = fields.filter(({ isKey, path }) => isKey && path !== 'companyId')
  const others = columns.filter(({ isKey }) => !isKey)
  const texts = others.filter(({ kind, within }) => kind === 'text' && !within)
  const called = nameAmong(texts.map(({ names }) => names.at(-1) ?? ''))
  const name = texts.find(({ names }) => names.at(-1) === called)
  const rest = others.filter((column) => column !== name)
  const most = [...rest.filter(({ states }) => states), ...rest.filter(isNumeric).slice(0, 2)]
  const telling = new Set([...new Set([...most, ...rest])].slice(0, TELLING))
  return { name, keys, telling: rest.filter((column) => telling.has(column)) }
}

interface CardProps extends Parts {
  readonly company: string
  readonly document: DocumentInfo
  readonly row: Row
  readonly names: ReadonlyMap<string, string>
  readonly marks: Marks
}

function Card({ company, document, row, names, marks, name, keys, telling }: CardProps) {
  const page = pageOf(company, document, row)
  const id = keys.map((column, at) => (
    <Fragment key={column.path}>
      {at > 0 && ' / '}
      <Value row={row} column={column} />
    </Fragment>
  ))
  const title = name && valuesOf(row, name)[0]?.value ? <Value row={row} column={name} /> : id
  return (
    <>
      <div className={classes.cardTitle}>
        {marks.isPossible && (
          <Checkbox
            aria-label={t('Mark {{key}}', { key: keyOf(keys, row).join(' / ') })}
            checked={marks.has(row)}
            onChange={({ currentTarget }) => marks.set([row], currentTarget.checked)}
          />
        )}
        {page ? (
          <Link {...page} className={classes.cardLink}>
            {title}
          </Link>
        ) : (
          title
        )}
        {title !== id && <span className={classes.cardKey}>{id}</span>}
      </div>
      <dl className={classes.telling}>
        {telling.map((column) => (
          <div key={column.path}>
            <dt>
              <FieldTitle title={column.titles.at(-1) ?? ''} path={column.path} />
            </dt>
            <dd>
              <CellValue company={company} row={row} column={column} names={names} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Value({ row, column }: { readonly row: Row; readonly column: FieldInfo }) {
  return <FieldValue value={valuesOf(row, column)[0]?.value} kind={column.kind} />
}

function CardSums({ company, question, columns, sums, places }: CardsProps & { readonly places: ColumnPlaces }) {
  const summed = columns.filter(({ path }) => sums.includes(path))
  const sumOf = useSums(company, question, sums)
  if (summed.length === 0) return null
  return (
    <dl className={classes.cardSums}>
      {summed.map((column) => (
        <div key={column.path}>
          <dt>{t('Sum of {{title}}', { title: column.titles.at(-1) ?? '' })}</dt>
          <dd>{sumText(sumOf(column.path), column, places)}</dd>
        </div>
      ))}
    </dl>
  )
}
