/** A text as one word of a POSIX shell, whatever it contains. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
