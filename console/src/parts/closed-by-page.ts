import type { SyntheticEvent } from 'react'

/**
 * Props of a dialog that its page closes, also by Escape: the event of the browser comes later, when the dialog may be
 * open again.
 */
export const closedByPage = (onClose: () => void) => ({
  onCancel: (event: SyntheticEvent) => {
    // A file that was not chosen cancels too.
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    onClose()
  },
  onClose: ({ currentTarget }: SyntheticEvent<HTMLDialogElement>) => {
    if (!currentTarget.open) onClose()
  },
})
