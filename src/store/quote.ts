/** An identifier as both engines write it. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}
