import { zipSync } from 'fflate'

/** A file of an office program: zipped parts, the list of contents first, all of the same old day. */
export function zipped(parts) {
  const content = parts['[Content_Types].xml']
  return Buffer.from(zipSync({ '[Content_Types].xml': content, ...parts }, { level: 9, mtime: new Date(1980, 0, 1) }))
}
