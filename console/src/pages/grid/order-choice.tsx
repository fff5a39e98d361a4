// The order of cards, which have no headings.
import { Button, Group, NativeSelect } from '@mantine/core'
import { t } from '../../words/words.ts'
import { columnTitle } from './filter/operator-words.ts'
import type { Column } from './list-columns.ts'
import { ordersIn } from './order.ts'

interface OrderChoiceProps {
  readonly columns: readonly Column[]
  readonly orderBy: string
  readonly onChange: (orderBy: string) => void
}

export function OrderChoice({ columns, orderBy, onChange }: OrderChoiceProps) {
  const [{ path, isDescending } = { path: '', isDescending: false }] = ordersIn(orderBy)
  const offered = columns.filter(({ within }) => !within)
  const data = [
    { value: '', label: t('No order') },
    ...offered.map((column) => ({ value: column.path, label: columnTitle(column) })),
  ]
  return (
    <Group gap="xs" wrap="nowrap" flex="1 1 9rem">
      <NativeSelect
        flex={1}
        aria-label={t('Order by')}
        data={data}
        value={path}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {path !== '' && (
        <Button variant="default" onClick={() => onChange(isDescending ? path : `${path} desc`)}>
          {isDescending ? t('Down') : t('Up')} {isDescending ? '↓' : '↑'}
        </Button>
      )}
    </Group>
  )
}
