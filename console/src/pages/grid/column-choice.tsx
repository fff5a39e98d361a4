import { Button, Checkbox, Popover, ScrollArea, Stack } from '@mantine/core'
import type { DocumentInfo, FieldInfo } from '../../service/metadata.ts'

interface ColumnChoiceProps {
  readonly document: DocumentInfo
  readonly shown: readonly FieldInfo[]
  readonly onChange: (paths: readonly string[]) => void
}

/** Which fields are columns, those of groups included. The last one stays. */
export function ColumnChoice({ document, shown, onChange }: ColumnChoiceProps) {
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
          <Stack gap={6} role="group" aria-label="Columns">
            {document.fields.map(({ path }) => (
              <Checkbox
                key={path}
                size="xs"
                label={path}
                checked={paths.includes(path)}
                onChange={() => toggle(path)}
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}
