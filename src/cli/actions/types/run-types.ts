import { createClient } from '#client'
import type { ServiceCredentials } from '../../remote-service/service-credentials.ts'
import type { Terminal } from '../../terminal.ts'
import { companyTypes } from './company-types.ts'

/** Prints the types of what the client may read. */
export async function printTypes(
  credentials: ServiceCredentials,
  company: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const client = createClient(credentials, company === undefined ? {} : { company })
  terminal.stdout.write(await companyTypes(client))
}
