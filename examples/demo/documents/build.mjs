// Makes the demo's documents and documents.ndjson: `node examples/demo/documents/build.mjs [folder of the photographs]`.
// Without the folder the photographs stay as they are. The same source, the same files.
import { writeFileSync } from 'node:fs'
import { archiveOf } from './build/archive.mjs'

const documents = archiveOf(process.argv[2])
const files = documents.flatMap((document) => [document, ...document.revisions])

for (const { file, make } of files) {
  const bytes = await make()
  writeFileSync(new URL(file, import.meta.url), bytes)
  console.log(`${file}: ${bytes.length} bytes`)
}

const lines = documents.map(({ make: _, revisions, ...document }) => {
  return JSON.stringify({ ...document, revisions: revisions.map(({ make: _, ...revision }) => revision) })
})
writeFileSync(new URL('../documents.ndjson', import.meta.url), `${lines.join('\n')}\n`)
console.log(`documents.ndjson: ${documents.length} documents, ${files.length - documents.length} further revisions`)
