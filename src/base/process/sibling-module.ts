/** The URL of the module `name` next to `from` (an `import.meta.url`): .ts in a checkout, .js in the package. */
export function siblingModule(name: string, from: string): URL {
  return new URL(`./${name}.${from.endsWith('.ts') ? 'ts' : 'js'}`, from)
}
