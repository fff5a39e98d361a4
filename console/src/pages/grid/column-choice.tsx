import { Button, Checkbox, Popover, ScrollArea, Stack, Text } from '@mantine/core'
import { FieldTitle } from '../../parts/field-title.tsx'
import { type DocumentInfo, groupTitle } from '../../service/metadata.ts'
import { allColumns, type Column } from './list-columns.ts'

interface ColumnChoiceProps {
  readonly document: DocumentInfo
  readonly shown: readonly Column[]
  readonly onChange: (paths: readonly string[]) => void
}

/** Which members are columns, those of groups, lists and associated records included. The last one stays. */
export function ColumnChoice({ document, shown, onChange }: ColumnChoiceProps) {
  const groups = Map.groupBy(allColumns(document), ({ names }) => names.slice(0, -1).join('/'))
  const paths = shown.map(({ path }) => path)
  const toggle = (path: string) => {
    const next = paths.includes(path) ? paths.filter((other) => other !== path) : [...paths, path]
    if (next.length > 0) onChange(next)
  }
  return (
    <Popover position="bottom-end" withinPortal={false} trapFocus>
      <Popover.Target>
        <Button size="xs" variant="default">
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ScrollArea.Autosize mah={360} type="auto">
          <Stack gap="sm" role="group" aria-label="Columns">
            {[...groups].map(([group, columns]) => (
              <Stack key={group} gap={6} role="group" aria-label={groupTitle(columns) || document.schema.title}>
                {group !== '' && (
                  <Text size="xs" fw={600}>
                    <FieldTitle title={groupTitle(columns)} path={group} />
                  </Text>
                )}
                {columns.map(({ path, titles, schema }) => (
                  <Checkbox
                    key={path}
                    size="xs"
                    label={<FieldTitle title={titles.at(-1) ?? ''} path={path} description={schema.description} />}
                    checked={paths.includes(path)}
                    onChange={() => toggle(path)}
                  />
                ))}
              </Stack>
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}
