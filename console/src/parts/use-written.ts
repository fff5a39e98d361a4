// What a field shows: the value as the reader writes it, and what is typed while one types.
import { type FocusEvent, useState } from 'react'

interface Writings {
  /** As it is read. */
  readonly shown: (value: string) => string
  /** As it is changed. */
  readonly edited: (value: string) => string
}

/** Props of an input. Call `type` with what is typed. */
export function useWritten(value: string, { shown, edited }: Writings) {
  const [typed, setTyped] = useState<string>()
  return {
    type: setTyped,
    written: {
      value: typed ?? shown(value),
      onFocus: ({ currentTarget: input }: FocusEvent<HTMLInputElement>) => {
        if (shown(value) === edited(value)) return
        setTyped(edited(value))
        // Another text takes the selection away that the Tab key has made.
        requestAnimationFrame(() => input.select())
      },
      onBlur: () => setTyped(undefined),
    },
  }
}
