import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Stands where something would be: what is not there, and what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <Stack gap={4} align="center" py="xl" px="md" ta="center">
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text component="div" c="dimmed" maw={480}>
          {children}
        </Text>
      )}
    </Stack>
  )
}
