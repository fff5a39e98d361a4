import type { ReactNode } from 'react'

interface ScrollBoxProps {
  readonly label: string
  /** Such as `75dvh`; what is higher scrolls within. */
  readonly maxHeight?: string
  readonly children: ReactNode
}

/** What is wider than the page scrolls within; the keyboard reaches it. */
export function ScrollBox({ label, maxHeight, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section aria-label={label} tabIndex={0} style={{ overflow: 'auto', maxHeight }}>
      {children}
    </section>
  )
}
