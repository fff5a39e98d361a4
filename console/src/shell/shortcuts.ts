// Keys that work on every page: two letters, as in many programs, one for what the page offers, `/` and Ctrl+K for the
// search, `?` for the list of keys, Ctrl+Z for what the newest notice offers.
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { shownCommands } from '../parts/command.ts'
import { hasLetters } from '../service/preferences.ts'
import { useCompany } from '../service/session.ts'

/** After `g`. */
const PAGES = {
  h: '/$company',
  q: '/$company/query',
  d: '/$company/documents',
} as const

/** How long the second key may wait. */
const PAUSE_MS = 1_500

interface Shortcuts {
  readonly showKeys: () => void
  readonly search: () => void
  readonly undo: () => void
}

export function useShortcuts({ showKeys, search, undo }: Shortcuts): void {
  const navigate = useNavigate()
  const { id: company } = useCompany()
  useEffect(() => {
    let begunAt = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      // Also from within an input.
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return search()
      }
      if (event.altKey || isTyping(event.target) || (!event.ctrlKey && !event.metaKey && !hasLetters())) return
      if (event.ctrlKey || event.metaKey) {
        // Lines of a form take back what was typed themselves.
        if (event.key === 'z' && !event.defaultPrevented) undo()
        return
      }
      const isSecond = event.timeStamp - begunAt < PAUSE_MS
      begunAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      const to = isSecond && event.key in PAGES ? PAGES[event.key as keyof typeof PAGES] : undefined
      if (to) return void navigate({ to, params: { company } })
      if (event.key === '?') return showKeys()
      const does = event.key === '/' ? search : commandOf(event)
      if (!does) return
      event.preventDefault()
      does()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [navigate, company, showKeys, search, undo])
}

/** What the letter presses on the page; nothing behind a dialog, and nothing where letters choose. */
function commandOf({ key, shiftKey, target }: KeyboardEvent): (() => void) | undefined {
  const isElsewhere = target instanceof Element && target.closest('dialog, [role=menu], [role=listbox]') !== null
  if (shiftKey || isElsewhere || document.querySelector('dialog[open]')) return undefined
  return shownCommands().find((one) => one.key === key.toUpperCase())?.run
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}
