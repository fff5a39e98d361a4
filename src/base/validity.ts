/** For how long something holds that was found out from records: as long as nobody has changed them. */
export interface Validity {
  /** The same text for the same state, in every process. */
  readonly tag: string
  /** Whether that state is still the newest: it sees every change that was acknowledged before it was asked. */
  isCurrent(): boolean | Promise<boolean>
}

/** Holds as long as both, of which the second is only a text that may change with time. */
export function andWhile(validity: Validity, now: () => string): Validity {
  const then = now()
  return { tag: `${validity.tag} ${then}`, isCurrent: () => now() === then && validity.isCurrent() }
}
