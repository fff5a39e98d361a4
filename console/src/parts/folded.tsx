import { Button, Popover } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { t } from '../words/words.ts'
import classes from './folded.module.css'
import { Icon } from './icon.tsx'

/** As in the styles. */
const PHONE = '(max-width: 40rem)'

/** Whether the window is as narrow as that of a phone. */
export const useIsPhone = (): boolean => useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false })

/** Actions that stand beside each other; on a phone, one button shows them below each other. */
export function Folded({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  if (!useIsPhone()) return children
  return (
    <Popover position="bottom-end" withinPortal={false} opened={isOpen} onChange={setOpen} returnFocus>
      <Popover.Target>
        <Button px={7} variant="default" onClick={() => setOpen(!isOpen)} aria-label={t('More')} title={t('More')}>
          <Icon name="more" size={16} />
        </Button>
      </Popover.Target>
      {/* Who has left a dialog of an action has done with it. */}
      <Popover.Dropdown className={classes.menu ?? ''} {...whenDialogCloses(() => setOpen(false))}>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}

/** The event of a dialog does not bubble; React's types know it of dialogs alone. */
const whenDialogCloses = (run: () => void) => ({ onCloseCapture: run })
