import { CloseButton, Group, Title } from '@mantine/core'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { t } from '../words/words.ts'
import { closedByPage } from './closed-by-page.ts'
import classes from './sheet.module.css'

interface SheetProps {
  readonly title: string
  readonly isOpen: boolean
  readonly isWide?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog of the browser: it holds the focus, Escape closes it, and the focus returns to where it was. */
export function Sheet({ title, isOpen, isWide = false, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    if (!isOpen) return dialog.current?.close()
    dialog.current?.showModal()
    focusFirstField(dialog.current)
  }, [isOpen])
  return (
    <dialog
      ref={dialog}
      className={classes.sheet}
      data-wide={isWide || undefined}
      aria-labelledby={titleId}
      {...closedByPage(onClose)}
    >
      {isOpen && (
        <>
          <Group justify="space-between" mb="sm">
            <Title order={2} id={titleId}>
              {title}
            </Title>
            <CloseButton aria-label={t('Close')} onClick={onClose} />
          </Group>
          {children}
        </>
      )}
    </dialog>
  )
}

const FIELD = 'input:not([type=hidden]), select, textarea'

/** Puts the cursor where one begins to type; as the `ref` of a form it does so when the form is shown. */
export function focusFirstField(form: HTMLElement | null): void {
  const fields = [...(form?.querySelectorAll<HTMLInputElement>(FIELD) ?? [])]
  fields.find(({ disabled, readOnly, offsetParent }) => !disabled && !readOnly && offsetParent !== null)?.focus()
}
