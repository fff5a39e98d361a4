// The key of a record as one part of an address.
import type { LinkProps } from '@tanstack/react-router'

export const recordKeyText = (parts: readonly string[]): string => parts.map(encodeURIComponent).join(',')

export const recordKeyParts = (text: string): string[] => text.split(',').map(decoded)

/** People type addresses too: a stray percent sign stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The page of a record, whose key is as in its address. Documents of the archive have a page of their own. */
export function recordLink(company: string, document: string, key: string): LinkProps {
  return document === 'document-archive'
    ? { to: '/$company/documents/$id', params: { company, id: key } }
    : { to: '/$company/record/$document/$key', params: { company, document, key } }
}
