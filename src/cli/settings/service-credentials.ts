/** Where a running service is, and the client to ask as. */
export interface ServiceCredentials {
  /** With the base path, without a slash at its end. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
}
