// `npm run docs`: writes the generated files, which are checked in, so that a review sees their changes.
import { writeFileSync } from 'node:fs'
import { generatedDocs } from './generated-docs.ts'

for (const [file, text] of Object.entries(await generatedDocs())) writeFileSync(file, text)
