// The rooms of the house as data, held against every import of the source.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Which rooms a room may import; its own files always. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  errors: ['base'],
  observe: ['base'],
  model: ['base', 'errors'],
  query: ['base', 'errors', 'model'],
  patch: ['base', 'errors', 'model'],
  store: ['base', 'errors', 'observe', 'model', 'query'],
  files: ['base', 'errors', 'observe'],
  access: ['base', 'errors', 'observe', 'model', 'store'],
  backup: ['base', 'errors', 'observe', 'store', 'files'],
  // Roles, users and clients are a part of a setup.
  setup: ['base', 'errors', 'observe', 'model', 'query', 'store', 'access'],
  http: ['base', 'errors', 'observe', 'model', 'access'],
  records: ['base', 'errors', 'observe', 'model', 'query', 'patch', 'store', 'files', 'access', 'setup', 'http'],
  objects: ['base', 'errors', 'observe', 'model', 'query', 'patch', 'store', 'files', 'access', 'setup', 'http'],
  transfer: [
    'base',
    'errors',
    'observe',
    'model',
    'query',
    'patch',
    'store',
    'files',
    'access',
    'setup',
    'http',
    'records',
    'objects',
  ],
}

/** These put the others together and may import everything of ours. */
const BUILDERS = ['app.ts', 'app', 'main.ts', 'cli']

/** Packages that one kind of file alone may import. */
const KEPT_PACKAGES: readonly { packages: RegExp; where: RegExp }[] = [
  { packages: /^kysely(\/|$)/, where: /^(store\/|records\/.*-store\.ts$)/ },
  { packages: /^(node:sqlite|pg)$/, where: /^store\// },
  { packages: /^(fastify|@fastify\/.*|find-my-way)$/, where: /^http\// },
  { packages: /^(yaml|re2js)$/, where: /^setup\// },
  { packages: /^jose$/, where: /^access\// },
  { packages: /^(pino|prom-client|@opentelemetry\/.*)$/, where: /^observe\// },
  { packages: /^(commander|cli-progress)$/, where: /^cli\// },
  { packages: /^csv-parse(\/|$)/, where: /^transfer\// },
  { packages: /^(sharp|@aws-sdk\/.*|pdfjs-dist(\/.*)?|@napi-rs\/.*|saxes|yauzl|mime-types)$/, where: /^files\// },
  { packages: /^content-disposition$/, where: /^http\// },
]

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

function roomOf(file: string): string {
  return file.split('/')[0] ?? ''
}

/** The slice of a file under `records`, or nothing elsewhere. */
function sliceOf(file: string): string | undefined {
  const [room, slice] = file.split('/')
  return room === 'records' ? slice : undefined
}

function isFile(target: string): boolean {
  return statSync(join(SOURCE, target), { throwIfNoEntry: false })?.isFile() ?? false
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

  it('has a row for every room', () => {
    const rooms = new Set(files.map(roomOf))
    expect([...rooms].filter((room) => !(room in ROOMS) && !BUILDERS.includes(room))).toEqual([])
  })

  it('is a table without circles', () => {
    const order: string[] = []
    const visit = (room: string, path: readonly string[]): void => {
      if (path.includes(room)) throw new Error(`a circle: ${[...path, room].join(' -> ')}`)
      for (const other of ROOMS[room] ?? []) visit(other, [...path, room])
      if (!order.includes(room)) order.push(room)
    }
    for (const room of Object.keys(ROOMS)) visit(room, [])
    expect(order).toHaveLength(Object.keys(ROOMS).length)
  })

  it('is kept: a room imports only what its row allows', () => {
    const wrong = imports.filter(({ file, target, isOurs }) => {
      if (!isOurs || BUILDERS.includes(roomOf(file))) return false
      return roomOf(file) !== roomOf(target) && !ROOMS[roomOf(file)]?.includes(roomOf(target))
    })
    expect(wrong.map(asLine)).toEqual([])
  })

  it('is kept: a slice never imports another, only what the slices share', () => {
    const wrong = imports.filter(({ file, target, isOurs }) => {
      const [own, other] = [sliceOf(file), isOurs ? sliceOf(target) : undefined]
      return own !== undefined && other !== undefined && own !== other && other !== 'shared'
    })
    expect(wrong.map(asLine)).toEqual([])
  })

  it('is kept: nothing but the command line knows the command line, nothing but it the application', () => {
    const wrong = imports.filter(({ file, target, isOurs }) => {
      if (!isOurs || roomOf(file) === roomOf(target)) return false
      if (roomOf(target) === 'cli') return file !== 'main.ts'
      return target === 'app.ts' && roomOf(file) !== 'cli'
    })
    expect(wrong.map(asLine)).toEqual([])
  })

  it.each(KEPT_PACKAGES)('keeps $packages to $where', ({ packages, where }) => {
    const wrong = imports.filter(({ file, target, isOurs }) => !isOurs && packages.test(target) && !where.test(file))
    expect(wrong.map(asLine)).toEqual([])
  })

  it('imports files by their whole names, and files that are there', () => {
    const wrong = imports.filter(({ target, isOurs }) => isOurs && !isFile(target))
    expect(wrong.map(asLine)).toEqual([])
  })

  it('is written in ASCII', () => {
    const wrong = [...sources].flatMap(([file, text]) =>
      text
        .split('\n')
        .flatMap((line, index) => (/^[\t\x20-\x7e]*$/.test(line) ? [] : [`src/${file}:${index + 1}: ${line}`])),
    )
    expect(wrong).toEqual([])
  })
})
