import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface EmptyProps {
  readonly title: string
  /** What would be there, or why nothing is. */
  readonly children?: ReactNode
  readonly icon?: IconName
  /** The first thing to do, such as New and Import. */
  readonly actions?: ReactNode
}

/** Stands where something would be: what is not there, and what to do. */
export function Empty({ title, children, icon = 'empty', actions }: EmptyProps) {
  return (
    <Stack gap="xs" align="center" py="xl" px="md" ta="center">
      <Text component="span" c="dimmed">
        <Icon name={icon} size={32} />
      </Text>
      <Text size="md" fw={600}>
        {title}
      </Text>
      {children !== undefined && (
        <Text component="div" c="dimmed" maw={480}>
          {children}
        </Text>
      )}
      {actions !== undefined && (
        <Group gap="xs" mt="xs" justify="center">
          {actions}
        </Group>
      )}
    </Stack>
  )
}
