import { create } from 'content-disposition'

/** The header with which a browser saves an answer under this name, whatever is in it (RFC 6266). */
export function attachmentNamed(fileName: string): string {
  return create(fileName, { type: 'attachment' })
}
