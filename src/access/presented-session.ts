/** What a request of a person who has signed in to the console carries. */
export interface PresentedSession {
  readonly secret: string
  readonly method: string
  /** The client that an administrator wants to see as. */
  readonly actAs?: string | undefined
}
