// Texts of files in the encodings that programs write: what the file says of itself, else UTF-8, else Windows-1252.

/** The marks that begin a text (Unicode, 23.8). */
const MARKS: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]
/** Any bytes are a text in it, and older programs of the West write it. */
const ANY = 'windows-1252'

/** `type`: the media type, which may have a `charset`. */
export function decodedText(bytes: Uint8Array, type: string): string {
  const marked = MARKS.find(([mark]) => mark.every((byte, place) => bytes[place] === byte))?.[1]
  const named = /;\s*charset="?([\w-]+)/i.exec(type)?.[1]
  for (const encoding of [marked, named, 'utf-8']) {
    const text = encoding === undefined ? undefined : textIn(bytes, encoding)
    if (text !== undefined) return text
  }
  return new TextDecoder(ANY).decode(bytes)
}

/** Undefined where the bytes are no text in it, or no browser knows it. */
function textIn(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
