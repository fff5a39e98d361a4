import { useEffect, useRef } from 'react'

/** Puts the focus into the first field of a form, unless it is elsewhere; a touch screen would open its keyboard. */
export function useFirstFocus() {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (location.hash !== '' || !matchMedia('(pointer: fine)').matches) return
    if (document.activeElement && document.activeElement !== document.body) return
    // A field with choices would open them.
    form.current?.querySelector<HTMLElement>('input:not([aria-haspopup], [type=hidden], :disabled), textarea')?.focus()
  }, [])
  return form
}
