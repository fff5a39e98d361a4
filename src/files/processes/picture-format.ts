// Detects supported image formats by their signature: file names are not trusted.

export type PictureFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff'

/** Length of the longest signature below. */
export const SIGNATURE_BYTES = 12

/** Patterns of hexadecimal digits. */
const SIGNATURES: readonly (readonly [PictureFormat, RegExp])[] = [
  ['png', /^89504e470d0a1a0a/],
  ['jpeg', /^ffd8ff/],
  ['gif', /^47494638(?:37|39)61/],
  ['webp', /^52494646.{8}57454250/],
  ['tiff', /^(?:49492a00|4d4d002a)/],
]

/** The image format of a content from its first bytes; undefined for unsupported formats. */
export function pictureFormatOf(head: Uint8Array): PictureFormat | undefined {
  const digits = Buffer.from(head.subarray(0, SIGNATURE_BYTES)).toString('hex')
  return SIGNATURES.find(([, signature]) => signature.test(digits))?.[0]
}
