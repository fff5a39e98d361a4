import { Code, Group, Stack, Text } from '@mantine/core'
import { t } from '../words/words.ts'
import { CopyButton } from './copy-button.tsx'
import classes from './secret-once.module.css'

/** A secret that the service has just made, and tells no second time. */
export function SecretOnce({ secret, note }: { readonly secret: string; readonly note: string }) {
  return (
    <Stack gap="sm">
      <Text size="sm">{note}</Text>
      <Group gap="sm">
        <Code fz="md" className={classes.secret ?? ''} aria-label={t('Secret')}>
          {secret}
        </Code>
        <CopyButton text={secret}>{t('Copy')}</CopyButton>
      </Group>
    </Stack>
  )
}
