// A command in a process that a running service has started for it, in a folder with its input files. Who has sent it
// may be far away: it can name no other files, and the store is that of the service.
import { DELEGATED, type Delegated } from '../../administration/delegated.ts'
import type { ProgressReport } from '../../administration/frames.ts'
import type { Actor } from '../../store/store.ts'
import type { Terminal } from './terminal.ts'

/** Undefined in a process that somebody has started by hand. */
export const delegated: Delegated | undefined = parse(process.env[DELEGATED])

function parse(text: string | undefined): Delegated | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Delegated)
}

/** The environment of whoever has entered the command. */
export function commandEnvironment({ env }: Terminal): Readonly<Record<string, string | undefined>> {
  return delegated ? delegated.environment : env
}

/** Whom the journal names for what the command changes. */
export function commandActor(userId: string): Actor {
  return { userId, clientId: delegated?.clientId ?? '', requestId: '' }
}

export function reportProgress(progress: ProgressReport): void {
  process.send?.({ progress })
}

/** Ends the process with the service that has started it. */
export function endWithService(): void {
  process.once('disconnect', () => process.exit(1))
  // The channel alone does not keep the process.
  process.channel?.unref()
}
