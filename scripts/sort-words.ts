// Sorts the words of the console and of the service by their keys, each once, and puts the commas right: git keeps the
// lines of both sides where two branches have added words (`merge=union` in .gitattributes).
import { globSync, readFileSync, writeFileSync } from 'node:fs'

const LINE = /^\s*("(?:[^"\\]|\\.)+"): ("(?:[^"\\]|\\.)*"),?$/gm

for (const file of globSync('{console/src,src/errors,src/model}/words/*.json')) {
  const pairs = [...readFileSync(file, 'utf8').matchAll(LINE)].map(
    ([, key = '', text = '']) => [JSON.parse(key), JSON.parse(text)] as const,
  )
  // The first of two texts stays.
  const words = [...new Map(pairs.toReversed())].toSorted(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(words), null, 2)}\n`)
}
