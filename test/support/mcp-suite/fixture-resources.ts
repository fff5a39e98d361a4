// The resources that the conformance suite reads.
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

const TEXT = {
  uri: 'test://static-text',
  mimeType: 'text/plain',
  text: 'This is the content of the static text resource.',
}
const BINARY = { uri: 'test://static-binary', mimeType: 'image/png', blob: PNG }
const WATCHED = { uri: 'test://watched-resource', mimeType: 'text/plain', text: 'Watched.' }

export const RESOURCES = [TEXT, BINARY, WATCHED].map(({ uri, mimeType }) => {
  return { uri, mimeType, name: uri.slice('test://'.length), description: `A fixture, ${mimeType}` }
})

export const TEMPLATES = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'template',
    description: 'A fixture with a parameter',
    mimeType: 'application/json',
  },
]

export function readResource(uri: string) {
  const fixed = [TEXT, BINARY, WATCHED].find((resource) => resource.uri === uri)
  if (fixed) return fixed
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id === undefined) return undefined
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
  return { uri, mimeType: 'application/json', text }
}
