// Which pictures are drawn, told by how their content begins: a name promises nothing.

export type PictureFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff'

/** The longest of the signatures below. */
export const SIGNATURE_BYTES = 12

/** In hexadecimal digits; a dot stands for any of them. */
const SIGNATURES: readonly (readonly [PictureFormat, RegExp])[] = [
  ['png', /^89504e470d0a1a0a/],
  ['jpeg', /^ffd8ff/],
  ['gif', /^47494638(?:37|39)61/],
  ['webp', /^52494646.{8}57454250/],
  ['tiff', /^(?:49492a00|4d4d002a)/],
]

/** The format of the content that begins so; nothing for everything that is not drawn. */
export function pictureFormatOf(head: Uint8Array): PictureFormat | undefined {
  const digits = Buffer.from(head.subarray(0, SIGNATURE_BYTES)).toString('hex')
  return SIGNATURES.find(([, signature]) => signature.test(digits))?.[0]
}
