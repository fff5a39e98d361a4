// Packages with compiled parts, which `npm install --omit=optional` leaves out.

export function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

/** Throws with the command that installs what is missing. */
export function requirePackages(purpose: string, names: readonly string[]): void {
  const missing = names.filter((name) => !isInstalled(name)).join(' ')
  if (missing) throw new Error(`${purpose} needs more packages: npm install ${missing}`)
}
