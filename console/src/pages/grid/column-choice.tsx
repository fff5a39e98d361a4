import { Button, Checkbox, Group, Popover, ScrollArea, Stack, Text } from '@mantine/core'
import { FieldTitle } from '../../parts/field-title.tsx'
import { type DocumentInfo, groupTitle, isNumeric } from '../../service/metadata.ts'
import { t } from '../../words/words.ts'
import { allColumns, type Column } from './list-columns.ts'

interface ColumnChoiceProps {
  readonly document: DocumentInfo
  readonly shown: readonly Column[]
  /** Paths of those that are summed. */
  readonly sums: readonly string[]
  readonly onAdd: (path: string) => void
  readonly onRemove: (path: string) => void
  readonly onSums: (paths: readonly string[]) => void
}

/** Which members are columns, those of groups, lists and associated records included. The last one stays. */
export function ColumnChoice({ document, shown, sums, onAdd, onRemove, onSums }: ColumnChoiceProps) {
  const groups = Map.groupBy(allColumns(document), ({ names }) => names.slice(0, -1).join('/'))
  const paths = shown.map(({ path }) => path)
  const toggle = (path: string) => {
    if (!paths.includes(path)) onAdd(path)
    else if (paths.length > 1) onRemove(path)
  }
  const toggleSum = (path: string) =>
    onSums(sums.includes(path) ? sums.filter((other) => other !== path) : [...sums, path])
  return (
    <Popover position="bottom-end" withinPortal={false} trapFocus>
      <Popover.Target>
        <Button variant="default">{t('Columns')}</Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ScrollArea.Autosize mah={360} type="auto">
          <Stack gap="sm" role="group" aria-label={t('Columns')} maw={320}>
            {[...groups].map(([group, columns]) => (
              <Stack key={group} gap={8} role="group" aria-label={groupTitle(columns) || document.schema.title}>
                {group !== '' && (
                  <Text size="xs" fw={600}>
                    <FieldTitle title={groupTitle(columns)} path={group} />
                  </Text>
                )}
                {columns.map((column) => {
                  const { path, titles, schema } = column
                  const title = titles.at(-1) ?? ''
                  return (
                    <Group key={path} gap="md" justify="space-between" wrap="nowrap">
                      <Checkbox
                        label={<FieldTitle title={title} path={path} description={schema.description} />}
                        checked={paths.includes(path)}
                        onChange={() => toggle(path)}
                      />
                      {paths.includes(path) && isNumeric(column) && !column.within && (
                        <Checkbox
                          label={t('Sum')}
                          aria-label={t('Sum of {{title}}', { title })}
                          checked={sums.includes(path)}
                          onChange={() => toggleSum(path)}
                        />
                      )}
                    </Group>
                  )
                })}
              </Stack>
            ))}
            <Text size="xs" c="dimmed">
              {t(
                'Drag a heading to move its column, and its edge to size it. By the keyboard: Shift or Alt with the arrows, on a heading.',
              )}
            </Text>
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}
