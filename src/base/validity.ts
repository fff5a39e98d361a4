/** How long a result read from records remains correct: until one of them changes. */
export interface Validity {
  /** The same text for the same state of the records, in every process. */
  readonly tag: string
  /** The number of the company's last change, or of an earlier one, when the state was read or found to be current. */
  readonly changeNumber: number
  /**
   * Whether that state is still current, taking into account every change acknowledged before this call; of a replica,
   * whether it is current there and has the change with the number `least`.
   */
  isCurrent(least?: number): boolean | Promise<boolean>
}

/** The validity that ends as soon as `validity` does or `now` returns another text. */
export function andWhile(validity: Validity, now: () => string): Validity {
  const initial = now()
  return {
    tag: `${validity.tag} ${initial}`,
    get changeNumber() {
      return validity.changeNumber
    },
    isCurrent: (least) => now() === initial && validity.isCurrent(least),
  }
}
