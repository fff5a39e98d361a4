// The modules of the source as data, compared with every import.
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Which modules a module may import; its own files always. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  base: [],
  errors: ['base'],
  observe: ['base'],
  'process-pool': ['base', 'errors'],
  model: ['base', 'errors'],
  query: ['base', 'errors', 'model'],
  patch: ['base', 'errors', 'model'],
  sql: ['base', 'errors', 'model', 'query'],
  store: ['base', 'errors', 'observe', 'model', 'query', 'sql'],
  databases: ['base', 'errors', 'observe', 'process-pool', 'model', 'query', 'sql', 'store'],
  files: ['base', 'errors', 'observe', 'process-pool'],
  access: ['base', 'errors', 'observe', 'model', 'store'],
  backup: ['base', 'errors', 'observe', 'databases', 'files'],
  parquet: ['base', 'errors', 'process-pool', 'model', 'query', 'store', 'files', 'http'],
  // Roles, users and clients are a part of a setup.
  setup: ['base', 'errors', 'observe', 'model', 'query', 'sql', 'store', 'access'],
  http: ['base', 'errors', 'observe', 'model', 'files', 'access'],
  odata: ['base', 'errors', 'observe', 'model', 'query', 'sql', 'store', 'access', 'setup', 'http', 'objects'],
  records: [
    'base',
    'errors',
    'observe',
    'model',
    'query',
    'patch',
    'sql',
    'store',
    'files',
    'access',
    'setup',
    'http',
    'parquet',
  ],
  objects: [
    'base',
    'errors',
    'observe',
    'model',
    'query',
    'patch',
    'sql',
    'store',
    'files',
    'access',
    'setup',
    'http',
    'parquet',
  ],
  lifecycle: ['base', 'errors', 'observe', 'model', 'query', 'sql', 'store', 'files', 'setup', 'records', 'objects'],
  changes: [
    'base',
    'errors',
    'observe',
    'model',
    'query',
    'patch',
    'sql',
    'store',
    'files',
    'access',
    'setup',
    'http',
    'records',
    'objects',
  ],
  subscriptions: [
    'base',
    'errors',
    'observe',
    'model',
    'query',
    'patch',
    'sql',
    'store',
    'access',
    'setup',
    'http',
    'records',
    'changes',
  ],
  mcp: [
    'base',
    'errors',
    'observe',
    'model',
    'query',
    'sql',
    'store',
    'files',
    'access',
    'setup',
    'http',
    'records',
    'objects',
    'changes',
  ],
  batch: ['base', 'errors', 'model', 'store', 'setup', 'http', 'records'],
  'batch-operations': [
    'base',
    'errors',
    'observe',
    'model',
    'query',
    'sql',
    'store',
    'files',
    'access',
    'setup',
    'http',
    'records',
    'objects',
    'lifecycle',
    'changes',
    'transfer',
  ],
  mirror: [
    'base',
    'errors',
    'observe',
    'model',
    'query',
    'sql',
    'store',
    'files',
    'access',
    'setup',
    'http',
    'records',
    'objects',
  ],
  sessions: ['base', 'errors', 'model', 'sql', 'store', 'access', 'setup', 'http'],
  transfer: [
    'base',
    'errors',
    'observe',
    'model',
    'query',
    'patch',
    'sql',
    'store',
    'databases',
    'files',
    'access',
    'setup',
    'http',
    'records',
    'objects',
  ],
}

/** These put the others together and may import everything of ours. */
const BUILDERS = ['app', 'main.ts', 'cli', 'demo']

/** Packages that one kind of file alone may import. */
const PACKAGES: readonly { packages: RegExp; where: RegExp }[] = [
  {
    packages: /^kysely(\/|$)/,
    where:
      /^((sql|store|databases)\/|(records|lifecycle|changes|subscriptions|batch-operations|mcp|mirror)\/.*-store\.ts$)/,
  },
  { packages: /^(node:sqlite|pg)$/, where: /^databases\// },
  { packages: /^(find-my-way|@fastify\/.*)$/, where: /^http\// },
  { packages: /^(yaml|re2js)$/, where: /^setup\// },
  { packages: /^jose$/, where: /^access\// },
  { packages: /^openid-client$/, where: /^sessions\/issuer-client\.ts$/ },
  { packages: /^(pino|prom-client|@opentelemetry\/.*)$/, where: /^observe\// },
  { packages: /^(commander|cli-progress)$/, where: /^cli\// },
  { packages: /^iconv-lite$/, where: /^transfer\// },
  {
    packages: /^(sharp|@aws-sdk\/.*|pdfjs-dist(\/.*)?|@napi-rs\/.*|saxes|htmlparser2|yauzl|mime-types)$/,
    where: /^files\//,
  },
  { packages: /^content-disposition$/, where: /^http\// },
  { packages: /^hyparquet(-writer)?(\/|$)/, where: /^parquet\// },
  { packages: /^(@modelcontextprotocol\/.*|zod)$/, where: /^mcp\// },
  { packages: /^ipaddr\.js$/, where: /^subscriptions\/address-guard\.ts$/ },
  { packages: /^#client(\/|$)/, where: /^cli\// },
]

/** A third database is a folder in `databases`, an entry in `open/drivers.ts`, and what `--database` accepts. */
const DATABASE_NAME = /sqlite|postgres|\bpg\b/i
const OF_A_DATABASE = /^databases\/(?!open\/|migrations\/)\w+\//
/**
 * What chooses a database, what a failure says of its file, a lock of SQLite on any file, rows of a task in one of its
 * own, and the version of the library that Node.js has.
 */
const NAMES_DATABASES = [
  'databases/open/drivers.ts',
  'databases/open/explain-damage.ts',
  'databases/open/hold-folder.ts',
  'databases/file-lock.ts',
  'databases/temporary-rows.ts',
  'cli/settings/settings.ts',
  'cli/terminal/version-text.ts',
]
const OPENS_DATABASES = NAMES_DATABASES.filter((file) => file.startsWith('databases/open/'))
/** Texts for users may name databases, in the help of the command line and elsewhere. */
const SHOWS_DATABASES =
  /^(cli\/commands\/.*|observe\/store-metrics|http\/openapi\/system-endpoints|http\/system\/landing)\.ts$/
const COMMENT_LINE = /^\s*(?:\/\/|\/\*|\*).*$/gm
const TEXT = /`[^`]*`|'[^'\n]*'|"[^"\n]*"/g

const TYPE_IMPORT = /^import type [^;]*?from '[^']+'/gm

const SOURCE = join(import.meta.dirname, '../src')
const FROM = /(?:^|[\s;}])(?:import|export)\s[^'"`;]*?\sfrom\s*['"]([^'"]+)['"]/g
const BARE = /(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g
const CALLED = /\b(?:import|require)\(\s*['"]([^'"]+)['"]/g

interface Import {
  readonly file: string
  /** A path below `src` for a file of ours, otherwise the name of a package. */
  readonly target: string
  readonly isOurs: boolean
}

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .map((name) => name.split(sep).join('/'))
  .filter((name) => name.endsWith('.ts'))
  .sort()
const sources = new Map(files.map((file) => [file, readFileSync(join(SOURCE, file), 'utf8')]))
const imports = [...sources]
  .filter(([file]) => !file.endsWith('.test.ts'))
  .flatMap(([file, text]) => importsOf(file, text))

function importsOf(file: string, text: string): Import[] {
  return [FROM, BARE, CALLED].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name = '']) => {
      const isOurs = name.startsWith('.')
      const target = isOurs
        ? relative(SOURCE, join(SOURCE, dirname(file), name))
            .split(sep)
            .join('/')
        : name
      return { file, target, isOurs }
    }),
  )
}

function moduleOf(file: string): string {
  return file.split('/')[0] ?? ''
}

/** The slice of a file under `records`, or nothing elsewhere. */
function sliceOf(file: string): string | undefined {
  const [module, slice] = file.split('/')
  return module === 'records' ? slice : undefined
}

function isFile(target: string): boolean {
  return statSync(join(SOURCE, target), { throwIfNoEntry: false })?.isFile() ?? false
}

/** The files of a circle, if there is one. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const finished = new Set<string>()
  const visit = (file: string, path: readonly string[]): readonly string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (finished.has(file)) return []
    for (const other of graph.get(file) ?? []) {
      const circle = visit(other, [...path, file])
      if (circle.length > 0) return circle
    }
    finished.add(file)
    return []
  }
  for (const file of graph.keys()) {
    const circle = visit(file, [])
    if (circle.length > 0) return circle
  }
  return []
}

const asLine = ({ file, target }: Import) => `${file} imports ${target}`

/** Floors that ran the service's own code would hide what it costs. */
const FLOORS = ['bench/floors', 'bench/postgres', 'bench/questions', 'bench/records']

it.each(FLOORS)('lets no file of %s import the service that it is measured against', (folder) => {
  const root = join(SOURCE, '..')
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.ts'))
  const wrong = names.filter((name) => {
    const found = importsOf(`../${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8'))
    return found.some(({ target, isOurs }) => isOurs && !target.startsWith('../bench/'))
  })
  expect(names).not.toEqual([])
  expect(wrong).toEqual([])
})

describe('the architecture', () => {
  it('finds the imports of every kind', () => {
    const text = `import a from './a.ts'\nimport type {\n  b,\n} from '../b/b.ts'\nimport 'c'\nexport { d } from 'd'\nawait import('e')`
    expect(importsOf('x/y.ts', text).map((one) => one.target)).toEqual(['x/a.ts', 'b/b.ts', 'd', 'c', 'e'])
    expect(imports.length).toBeGreaterThan(files.length)
  })

  it('has a row for every module', () => {
    const modules = new Set(files.map(moduleOf))
    expect([...modules].filter((module) => !(module in MODULES) && !BUILDERS.includes(module))).toEqual([])
  })

  it('is a table without circles', () => {
    expect(circleIn(new Map(Object.entries(MODULES)))).toEqual([])
  })

  it('is respected: a module imports only what its row allows', () => {
    const wrong = imports.filter(({ file, target, isOurs }) => {
      if (!isOurs || BUILDERS.includes(moduleOf(file))) return false
      return moduleOf(file) !== moduleOf(target) && !MODULES[moduleOf(file)]?.includes(moduleOf(target))
    })
    expect(wrong.map(asLine)).toEqual([])
  })

  it('is respected: kinds say what records are, and no other slice imports another but the engine', () => {
    const wrong = imports.filter(({ file, target, isOurs }) => {
      const [own, other] = [sliceOf(file), isOurs ? sliceOf(target) : undefined]
      if (own === undefined || other === undefined || own === other) return false
      return own !== 'kinds' && other !== 'engine' && other !== 'shared'
    })
    expect(wrong.map(asLine)).toEqual([])
  })

  it('is respected: only routes and the application know HTTP', () => {
    const wrong = imports.filter(({ file, target, isOurs }) => {
      // A batch is made of requests, and so is what a tool of agents does.
      const isOfRequests = ['http', 'batch', 'mcp'].includes(moduleOf(file))
      const mayImport = isOfRequests || file.startsWith('app') || file.endsWith('routes.ts')
      return isOurs && moduleOf(target) === 'http' && !mayImport
    })
    expect(wrong.map(asLine)).toEqual([])
  })

  it('is respected: http names no resource', () => {
    const resource = /'(?:attribute-values|attribute-relations|customers|documents|objects):|\/v1\//
    const code = (text: string) => text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    const wrong = [...sources].filter(
      ([file, text]) =>
        moduleOf(file) === 'http' &&
        !file.startsWith('http/openapi/page') &&
        !file.endsWith('.test.ts') &&
        resource.test(code(text)),
    )
    expect(wrong.map(([file]) => file)).toEqual([])
  })

  it('is respected: only the command line imports the command line, and only it the application', () => {
    const wrong = imports.filter(({ file, target, isOurs }) => {
      if (!isOurs || moduleOf(file) === moduleOf(target)) return false
      if (moduleOf(target) === 'cli') return file !== 'main.ts' && moduleOf(file) !== 'demo'
      return target === 'app/app.ts' && !['cli', 'demo'].includes(moduleOf(file))
    })
    expect(wrong.map(asLine)).toEqual([])
  })

  it.each(PACKAGES)('keeps $packages to $where', ({ packages, where }) => {
    const wrong = imports.filter(({ file, target, isOurs }) => !isOurs && packages.test(target) && !where.test(file))
    expect(wrong.map(asLine)).toEqual([])
  })

  it('imports files by their whole names, and files that are there', () => {
    const wrong = imports.filter(({ target, isOurs }) => isOurs && !isFile(target))
    expect(wrong.map(asLine)).toEqual([])
  })

  it('names a database in code only in its dialect and in the option that chooses one', () => {
    const others = [...sources].filter(([file]) => !OF_A_DATABASE.test(file) && !file.endsWith('.test.ts'))
    const wrong = others.filter(([file, text]) => {
      const code = text.replace(COMMENT_LINE, '')
      const isShown = SHOWS_DATABASES.test(file)
      return !NAMES_DATABASES.includes(file) && DATABASE_NAME.test(isShown ? code.replace(TEXT, '') : code)
    })
    expect(wrong.map(([file]) => file)).toEqual([])
    const inside = imports.filter(({ file, target, isOurs }) => {
      return isOurs && !OF_A_DATABASE.test(file) && !OPENS_DATABASES.includes(file) && OF_A_DATABASE.test(target)
    })
    expect(inside.map(asLine)).toEqual(['cli/settings/settings.ts imports databases/postgres/url.ts'])
  })

  const graphOf = (textOf: (text: string) => string, without: readonly string[] = []) =>
    new Map(
      [...sources]
        .filter(([file]) => !file.endsWith('.test.ts') && !without.includes(file))
        .map(([file, text]) => [
          file,
          importsOf(file, textOf(text)).flatMap(({ target, isOurs }) => (isOurs ? [target] : [])),
        ]),
    )

  it('has no circle of files that load each other', () => {
    expect(circleIn(graphOf((text) => text.replace(TYPE_IMPORT, '')))).toEqual([])
  })

  it('has no circle of files but of rows and their filters, and of what is loaded when it is needed', () => {
    const graph = graphOf((text) => text.replace(CALLED, ''), ['sql/rows/compile-filter.ts'])
    expect(circleIn(graph)).toEqual([])
  })

  it('is made of folders with a direction: their graph has no circle, types included', () => {
    const links = imports
      .filter(({ isOurs }) => isOurs)
      .map(({ file, target }) => ({ from: dirname(file), to: dirname(target) }))
      .filter(({ from, to }) => from !== to)
    const graph = [...Map.groupBy(links, ({ from }) => from)].map(
      ([folder, all]) => [folder, all.map(({ to }) => to)] as const,
    )
    expect(circleIn(new Map(graph))).toEqual([])
  })

  it('exports each type name once', () => {
    const names = [...sources].flatMap(([file, text]) =>
      [...text.matchAll(/^export (?:interface|type|(?:abstract )?class) (\w+)/gm)].map(([, name = '']) => ({
        name,
        file,
      })),
    )
    const twice = [...Map.groupBy(names, ({ name }) => name)].filter(([, places]) => places.length > 1)
    expect(twice.map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`)).toEqual([])
  })

  it('has no comment wider than 120 characters', () => {
    const isWide = (line: string) => line.length > 120 && /^\s*(?:\/\/|\/\*|\*)/.test(line)
    const long = [...sources].flatMap(([file, text]) =>
      text.split('\n').flatMap((line, index) => (isWide(line) ? [`src/${file}:${index + 1}`] : [])),
    )
    expect(long).toEqual([])
  })

  it('has a subject in each comment, as all other code: none begins with Of', () => {
    const files = globSync('{bench,console/src,packages/*/src,scripts,src,test}/**/*.{ts,tsx}', {
      exclude: ['**/node_modules/**', 'test/generators/made/**'],
    })
    const found = files.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => (/(?:\/\/|\/\*\*?|^\s*\*) Of\b/.test(line) ? [`${file}:${index + 1}`] : [])),
    )
    expect(files.length).toBeGreaterThan(1_000)
    expect(found).toEqual([])
  })

  it('distinguishes problems by their fields, never by their message', () => {
    const wrong = [...sources].filter(([, text]) => /instanceof Problem\b[^\n]*\.(?:test|includes|match)\(/.test(text))
    expect(wrong.map(([file]) => file)).toEqual([])
  })

  it('is written in ASCII, but for words of other languages', () => {
    const english = [...sources].filter(([file]) => !/^model\/built-in-(?:titles|descriptions)\.ts$/.test(file))
    const wrong = english.flatMap(([file, text]) =>
      text
        .split('\n')
        .flatMap((line, index) => (/^[\t\x20-\x7e]*$/.test(line) ? [] : [`src/${file}:${index + 1}: ${line}`])),
    )
    expect(wrong).toEqual([])
  })
})

describe('the client', () => {
  const folder = join(SOURCE, '../packages/client/src')
  const own = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const texts = new Map(own.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))

  it('imports only its own files, so that it needs no library and no Node.js', () => {
    const wrong = [...texts].flatMap(([file, text]) =>
      importsOf(file, text).filter(({ target, isOurs }) => !isOurs || !own.includes(target)),
    )
    expect(own).toContain('index.ts')
    expect(wrong.map(asLine)).toEqual([])
  })

  it('names nothing that browsers lack', () => {
    const wrong = [...texts].filter(([, text]) => /\b(?:process|Buffer|require|__dirname)\b[.(]/.test(text))
    expect(wrong.map(([file]) => file)).toEqual([])
  })

  it('is written as the service is: ASCII, narrow, at most 300 lines a file', () => {
    const lines = [...texts].flatMap(([file, text]) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          line.length <= 120 && /^[\t\x20-\x7e]*$/.test(line) ? [] : [`${file}:${index + 1}: ${line}`],
        ),
    )
    expect(lines).toEqual([])
    expect([...texts].filter(([, text]) => text.split('\n').length > 301).map(([file]) => file)).toEqual([])
  })
})
