// A selection as the text that the service reads.

/** `true` selects the property; an object some members of a group, list or association; a text the forms of a code. */
export interface Selection {
  readonly [property: string]: boolean | 'T' | 'C;T' | Selection | undefined
}

/** `{ countryCode: 'C;T', invoice: { creditLimit: true } }` -> `countryCode[C;T],invoice(creditLimit)`. */
export function selectText(selection: string | Selection): string {
  if (typeof selection === 'string') return selection
  return Object.entries(selection)
    .flatMap(([name, part]) => {
      if (part === undefined || part === false) return []
      if (part === true) return [name]
      return [typeof part === 'string' ? `${name}[${part}]` : `${name}(${selectText(part)})`]
    })
    .join(',')
}
