const MAX_CHARACTERS = 200

/** Whether it is the name of a file in a folder, and nothing that leads out of it. */
export function isPlainName(name: string | undefined): name is string {
  if (name === undefined || name === '' || name.length > MAX_CHARACTERS) return false
  return name !== '.' && name !== '..' && !/[/\\\p{Cc}]/u.test(name) && name.isWellFormed()
}
