import { ActionIcon, Button, type ButtonProps } from '@mantine/core'
import { useState } from 'react'
import { t } from '../words/words.ts'
import { Icon } from './icon.tsx'

const TOLD_MS = 1_500

interface CopyButtonProps extends ButtonProps {
  /** Made when it is asked for. */
  readonly text: string | (() => string | Promise<string>)
  readonly children: string
}

/** Copies a text to the clipboard and says so. */
function useCopy(text: CopyButtonProps['text']) {
  const [told, tell] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
      tell(t('Copied'))
    } catch {
      tell(t('Not copied'))
    }
    setTimeout(() => tell(''), TOLD_MS)
  }
  return { told, copy }
}

export function CopyButton({ text, children, ...look }: CopyButtonProps) {
  const { told, copy } = useCopy(text)
  return (
    <Button variant="default" {...look} onClick={() => void copy()} aria-live="polite">
      {told || children}
    </Button>
  )
}

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
