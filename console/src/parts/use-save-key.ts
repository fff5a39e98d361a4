import { useEffect, useRef } from 'react'
import { t } from '../words/words.ts'

/** Ctrl+S on the page of a form. */
export function useSaveKey(save: () => void): void {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** The attributes of the button that does the same. */
export const saveKey = () => ({ title: `${t('Save')} (Ctrl+S)`, 'aria-keyshortcuts': 'Control+S' })
