// Setup files that the program writes itself.
import { Document, parseDocument } from 'yaml'
import type { Setup } from './setup-schema.ts'

/** The text of a file, with a comment at its head. Lines are not folded, so that each part can be moved by itself. */
export function setupText(setup: Setup, comment: string): string {
  const file = new Document(setup, { aliasDuplicateObjects: false })
  file.commentBefore = comment
  return file.toString({ lineWidth: 0 })
}

/** The file without the sources of its companies, and which companies had one; its comments stay. */
export function withoutSources(text: string): { readonly text: string; readonly companies: readonly string[] } {
  const file = parseDocument(text)
  const { companies = [] } = (file.toJS() ?? {}) as Setup
  const mirrored = companies.flatMap(({ id, source }, at) => (source ? [{ id, at }] : []))
  for (const { at } of mirrored) file.deleteIn(['companies', at, 'source'])
  return { text: file.toString({ lineWidth: 0 }), companies: mirrored.map(({ id }) => id) }
}
