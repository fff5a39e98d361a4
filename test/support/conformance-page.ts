// docs/generated/conformance.md: which tests prove each rule of a resource, and each decision, by what their titles
// cite: `customers 2: …`, `… (rule 4)` in a file of the resource, `… (decision 5.3)`.
import { globSync, readFileSync } from 'node:fs'

interface Resource {
  readonly name: string
  /** How many rules the interface has for it. */
  readonly rules: number
  /** Files whose titles need not name the resource. */
  readonly files: RegExp
}

const RESOURCES: readonly Resource[] = [
  { name: 'attribute relations', rules: 9, files: /\/attribute-relations?[./]/ },
  { name: 'attribute values', rules: 9, files: /\/attribute-values?[./]/ },
  { name: 'documents', rules: 9, files: /\/(?:documents|document-thumbnails|objects\.document-archive)\./ },
  { name: 'revisions', rules: 5, files: /\/document-revisions\./ },
  { name: 'customers', rules: 4, files: /^$/ },
]

const TITLE = /(?<=[([{,]\s*|: )(['"`])((?:(?!\1)[^\n\\]|\\.)*[a-z] \d(?:(?!\1)[^\n\\]|\\.)*)\1/g
const NUMBERS = String.raw`(\d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)?)*)`

interface CitingTest {
  readonly file: string
  readonly title: string
}

/** Rule or decision, such as `customers 2` or `decision 5.3`, and the tests that cite it. */
export function citedRules(): ReadonlyMap<string, readonly CitingTest[]> {
  const files = globSync('{test,src}/**/*.ts', { exclude: ['**/node_modules/**'] }).toSorted()
  const cited = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(TITLE)].flatMap(([, , title = '']) =>
      [...rulesIn(title, file)].map((rule) => ({ rule, file, title })),
    ),
  )
  return Map.groupBy(cited, ({ rule }) => rule)
}

/** The text of a source, without the ends of lines in its comments. */
export const sentencesIn = (source: string): string => source.replaceAll(/\n\s*(?:\/\/|\*)?\s*/g, ' ')

/** Rules that the sources cite. */
export function rulesInSources(): readonly { readonly file: string; readonly rule: string }[] {
  return globSync('src/**/*.ts').flatMap((file) => {
    const cited =
      sentencesIn(readFileSync(file, 'utf8')).match(/(?:attribute \w+, )?\brules? \d+(?:(?:, | and )\d+)*/g) ?? []
    return cited.flatMap((text) => [...rulesIn(text, file)].map((rule) => ({ file, rule })))
  })
}

function rulesIn(title: string, file: string): ReadonlySet<string> {
  const here = RESOURCES.find(({ files }) => files.test(file))?.name
  const named = RESOURCES.flatMap(({ name }) => numbersOf(title, `\\b${name}(?:, rules?)?`).map((n) => `${name} ${n}`))
  const unnamed = named.length > 0 || !here ? [] : numbersOf(title, '\\brules?').map((n) => `${here} ${n}`)
  return new Set([...named, ...unnamed, ...numbersOf(title, '\\bdecisions?').map((n) => `decision ${n}`)])
}

function numbersOf(title: string, words: string): readonly string[] {
  const found = title.matchAll(new RegExp(`${words} ${NUMBERS}(?=[:,)]|$)`, 'g'))
  return [...found].flatMap(([, numbers = '']) => numbers.split(/, | and /))
}

/** Rules that no test cites. */
export function unprovedRules(cited = citedRules()): readonly string[] {
  return RESOURCES.flatMap(({ name, rules }) =>
    Array.from({ length: rules }, (_, at) => `${name} ${at + 1}`).filter((rule) => !cited.has(rule)),
  )
}

export function conformancePage(): string {
  const cited = citedRules()
  const subjects = [...RESOURCES.map(({ name }) => name), 'decision']
  const order = (rule: string) => subjects.findIndex((subject) => rule.startsWith(subject))
  const rules = [...cited].toSorted(
    ([one], [other]) => order(one) - order(other) || one.localeCompare(other, 'en', { numeric: true }),
  )
  const rows = rules.flatMap(([rule, tests]) =>
    tests.map(({ file, title }) => `| ${rule} | \`${file}\` | ${title.replaceAll('|', '\\|')} |`),
  )
  return `# Conformance

Each rule of the interface, each decision that a test cites, and the tests, which go through HTTP and look that a refused
request has written nothing. Printed by \`npm run docs\` from the titles of the tests; a test compares, and fails for a rule
without one. \`test/api/client-compatibility.test.ts\` has what clients do beyond the rules.

| rule | file | test |
|---|---|---|
${rows.join('\n')}
`
}
