import { Anchor } from '@mantine/core'
import type { FieldInfo } from '../../../service/metadata.ts'
import { t } from '../../../words/words.ts'
import type { ListItem } from '../changes.ts'
import type { CellFault, CellFaults } from './cell-faults.ts'
import type { CellPlace } from './line-items.ts'
import classes from './lines-grid.module.css'

const LISTED = 6

interface FaultListProps {
  readonly faults: CellFaults
  readonly items: readonly ListItem[]
  readonly columns: readonly FieldInfo[]
  readonly onGo: (place: CellPlace) => void
}

/** What is wrong, with links to the cells. */
export function FaultList({ faults, items, columns, onGo }: FaultListProps) {
  const all = [...faults.values()]
  const key = columns.find(({ isKey }) => isKey)
  const placeOf = ({ row = 0, path }: CellFault): CellPlace => ({
    row,
    column: Math.max(
      0,
      columns.findIndex((field) => field.path === path),
    ),
  })
  const nameOf = ({ row = 0, path }: CellFault) => {
    const line = t('Line {{number}}', { number: items[row]?.texts[key?.path ?? ''] || String(row + 1) })
    const field = columns.find((one) => one.path === path)
    return field ? `${line}, ${field.titles.join(' / ')}` : line
  }
  return (
    <div role="status">
      {all.length > 0 && (
        <ul className={classes.faults}>
          {all.slice(0, LISTED).map((fault) => (
            <li key={`${fault.row} ${fault.path}`}>
              {fault.row !== undefined && (
                <>
                  <Anchor component="button" type="button" size="sm" onClick={() => onGo(placeOf(fault))}>
                    <bdi>{nameOf(fault)}</bdi>
                  </Anchor>
                  {': '}
                </>
              )}
              <bdi>{fault.message}</bdi>
            </li>
          ))}
          {all.length > LISTED && (
            <li>{t('and {{count}} more cells, which are marked.', { count: all.length - LISTED })}</li>
          )}
        </ul>
      )}
    </div>
  )
}
