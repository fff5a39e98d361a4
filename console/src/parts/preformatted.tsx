import type { ReactNode } from 'react'
import classes from './preformatted.module.css'

interface PreformattedProps {
  /** In the place of the usual look. */
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A text in its own lines. A long one scrolls, and the keyboard reaches it. */
export function Preformatted({ className = classes.text, children }: PreformattedProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <pre className={className} tabIndex={0}>
      {children}
    </pre>
  )
}
