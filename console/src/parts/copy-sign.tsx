import { ActionIcon } from '@mantine/core'
import { t } from '../words/words.ts'
import { useCopy } from './copy-button.tsx'
import { Icon } from './icon.tsx'

/** A sign beside a short text that copies it. */
export function CopySign({ text }: { readonly text: string }) {
  const { told, copy } = useCopy(text)
  const label = told || t('Copy {{key}}', { key: text })
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      title={label}
      aria-live="polite"
      onClick={() => void copy()}
    >
      <Icon name={told === '' ? 'copy' : 'done'} size={16} />
    </ActionIcon>
  )
}
