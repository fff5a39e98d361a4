// The setup file of a mirror: what was discovered, and who may read it.
import type { Setup } from '../../setup/file/setup-schema.ts'
import { setupText } from '../../setup/file/setup-text.ts'
import type { SourceSetup } from '../../setup/file/source-schema.ts'
import { ARCHIVE } from '../mirrored-documents.ts'
import type { Discovered } from './discover.ts'

interface MirrorReaders {
  /** Who signs in to the console. */
  readonly person: string
  readonly passwordHash: string
  /** The client that programs are. */
  readonly client: string
  readonly secretHash: string
}

const HEAD = ` A mirror of an ERP system, as its client was shown it. It may be changed and applied again.
 What the source is asked for stands at 'source'; a document that is taken out of it stays as it is.`

export function mirrorSetup(
  { company, documents, mirrored, left }: Discovered,
  source: Omit<SourceSetup, 'documents'>,
  { person, passwordHash, client, secretHash }: MirrorReaders,
): string {
  const { id } = company
  const apis = Object.fromEntries(mirrored.map((name) => [name === ARCHIVE ? 'documents' : name, ['read']]))
  const setup: Setup = {
    version: 1,
    companies: [{ ...company, source: { ...source, documents: [...mirrored] } }],
    ...(documents.length > 0 ? { documents: [...documents] } : {}),
    roles: [{ id: 'reader', apis: { ...apis, objects: ['read', 'export'] }, objects: ['*'] }] as Setup['roles'],
    users: [
      { id: person, defaultCompany: id, roles: { [id]: ['reader'] }, administrator: true, passwordHash },
      { id: `svc-${client}`, defaultCompany: id, roles: { [id]: ['reader'] } },
    ],
    clients: [{ id: client, user: `svc-${client}`, secretHash }],
  }
  const out =
    left.length === 0 ? '' : `\n Left out:\n${left.map((text) => `   ${text.replaceAll(/\s+/g, ' ')}`).join('\n')}`
  return setupText(setup, HEAD + out)
}
