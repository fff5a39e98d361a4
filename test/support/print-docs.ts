// `npm run docs`: prints what is made from the code and checked in, so that a review sees it.
import { writeFileSync } from 'node:fs'
import { printed } from './printed.ts'

for (const [file, text] of Object.entries(await printed())) writeFileSync(file, text)
