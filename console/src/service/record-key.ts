// The key of a record as one part of an address.

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
