import { create } from 'content-disposition'

/** The `Content-Disposition` that makes a browser save the response under this name, with any escaping (RFC 6266). */
export function attachmentNamed(fileName: string): string {
  return create(fileName, { type: 'attachment' })
}
