// What a process knows that a service has started for a command.
import type { CommandRequest } from './frames.ts'

/** The variable that it has, as JSON of `Delegated`. */
export const DELEGATED = 'TABULARIUM_DELEGATED'

export interface Delegated extends Omit<CommandRequest, 'args'> {
  /** The client that has sent the command from elsewhere; empty for whoever may use the data folder. */
  readonly clientId: string
  /** The id of the process that holds the data folder. */
  readonly service: number
}
