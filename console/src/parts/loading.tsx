import { Skeleton, Stack } from '@mantine/core'
import { t } from '../words/words.ts'
import classes from './loading.module.css'

/** Lines of the height of text, so that nothing moves when the content comes. What comes at once shows none. */
export function Loading({ lines = 6, label = t('Loading') }: { readonly lines?: number; readonly label?: string }) {
  return (
    <Stack gap="xs" p="md" role="status" aria-label={label} aria-busy="true" className={classes.loading ?? ''}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are all alike
        <Skeleton key={line} height={14} width={`${90 - ((line * 17) % 40)}%`} />
      ))}
    </Stack>
  )
}
