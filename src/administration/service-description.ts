import { createHash } from 'node:crypto'

/** What a client learns of a service before it sends a command. */
export interface ServiceDescription {
  readonly processId: number
  /** As `databaseMark` makes it. */
  readonly database: string
}

/** By it a client knows that a service has the database that its command is about. The address may have a password. */
export function databaseMark(url: string | undefined): string {
  return url === undefined ? '' : createHash('sha256').update(url).digest('hex')
}
