// Items of a list as cards: of many members, or on a phone, where a table would scroll sideways.
import { FieldTitle } from '../../parts/field-title.tsx'
import { type FieldInfo, fieldTitle } from '../../service/metadata.ts'
import { valueIn } from '../../service/question.ts'
import { useCompany } from '../../service/session.ts'
import { CellValue } from '../grid/cell-value.tsx'
import type { ColumnPlaces } from '../grid/column-places.ts'
import type { ReferenceNames } from '../grid/reference-names.ts'
import type { Row } from '../grid/rows.ts'
import { isFilled } from './filled.ts'
import classes from './item-cards.module.css'

/** Letters that fit half of a card. */
const FITTING = 16

const isLong = (item: Row, field: FieldInfo): boolean => {
  const { value, description = '' } = valueIn(item, field)
  return field.kind === 'text' && `${value} ${description}`.length > FITTING
}

interface ItemCardsProps {
  readonly label: string
  readonly fields: readonly FieldInfo[]
  readonly items: readonly Row[]
  readonly names: ReferenceNames
  readonly places: ColumnPlaces
}

/** The first member says which one it is. */
export function ItemCards({ label, fields: [first, ...others], items, names, places }: ItemCardsProps) {
  const { id: company } = useCompany()
  if (!first) return null
  const shownOf = (item: Row, field: FieldInfo) => (
    <CellValue {...{ company, names }} row={item} column={field} places={places.get(field.path)} />
  )
  return (
    <ul className={classes.cards} aria-label={label}>
      {items.map((item, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of a list have a place and nothing else
        <li key={place} className={classes.card}>
          <strong>{shownOf(item, first)}</strong>
          <dl>
            {others
              .filter((field) => isFilled(item, field))
              .map((field) => (
                <div key={field.path} className={isLong(item, field) ? classes.long : undefined}>
                  <dt>
                    <FieldTitle title={fieldTitle(field)} path={field.path} description={field.schema.description} />
                  </dt>
                  <dd>{shownOf(item, field)}</dd>
                </div>
              ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}
