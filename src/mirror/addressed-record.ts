// Which document of a mirror, or which record of it, a request is about.
import { decoded } from '../base/text.ts'
import { ARCHIVE } from './mirrored-documents.ts'

export interface AddressedRecord {
  /** The document. */
  readonly name: string
  /** The parts of the path behind it. */
  readonly key: readonly string[]
}

/** The document that a path names: those of the archive have two paths of their own. */
export function documentAt(path: string): string {
  return path === 'documents' || path === 'document-revisions' ? ARCHIVE : path
}

/** Which document, or record of it, a request is about. */
export function placeOf({ path }: { readonly path: string }): AddressedRecord {
  const at = /\/v\d+\/(?:objects\/)?/.exec(path)
  const [name = '', ...key] = path
    .slice(at ? at.index + at[0].length : 0)
    .split('/')
    .map(decoded)
  return { name, key }
}
