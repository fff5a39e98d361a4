/** The module `name` beside the module `from` (an `import.meta.url`): TypeScript in a checkout, JavaScript in the package. */
export function siblingModule(name: string, from: string): URL {
  return new URL(`./${name}.${from.endsWith('.ts') ? 'ts' : 'js'}`, from)
}
