// The package as it is published: its program runs, and reports the required version on an old Node.js.
import { execFile, spawn } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const CHECKOUT = new URL('../..', import.meta.url).pathname
const STARTED = /\b(?:siblingModule|startProgram)\('([\w-]+)'/g
const OLD = "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.1.0'}})"

let folder = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-package-'))
  await run('npm', ['pack', '--pack-destination', folder], { cwd: CHECKOUT })
  await install('complete')
  await install('bare', '--omit=optional')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const packed = () => readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? ''

/** Into an empty folder, and without the scripts that packages bring. */
async function install(name: string, ...options: string[]): Promise<void> {
  mkdirSync(join(folder, name))
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', ...options]
  await run('npm', [...args, join(folder, packed())], { cwd: join(folder, name) })
}

const packagesOf = (name: string) => readdirSync(join(folder, name, 'node_modules')).filter((one) => one[0] !== '.')
const programOf = (name: string) => join(folder, name, 'node_modules/tabularium/bin/tabularium.js')

interface Demo {
  get(path: string): Promise<{ status: number; body: unknown }>
  readonly log: () => string
}

/** Runs the demo of an installation while `use` works with it. */
async function withDemo(name: string, use: (demo: Demo) => Promise<void>): Promise<void> {
  const args = [programOf(name), 'demo', '--data', join(folder, name, 'data'), '--port', '0', '50']
  const demo = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => demo.once('exit', resolve))
  let [output, errors] = ['', '']
  demo.stderr.on('data', (text) => (errors += text))
  try {
    const address = await new Promise<string>((resolve, reject) => {
      demo.stdout.on('data', (text) => {
        output += text
        const found = /(http:\/\/[\d.]+:\d+)/.exec(output)?.[1]
        if (found) resolve(found)
      })
      demo.once('exit', (code) => reject(new Error(`ended with ${code}: ${output} ${errors}`)))
    })
    const authorization = `Basic ${Buffer.from('demo:demo-secret').toString('base64')}`
    const get = async (path: string) => {
      const answer = await fetch(`${address}${path}`, { headers: { authorization } })
      return { status: answer.status, body: await answer.json() }
    }
    await use({ get, log: () => errors })
  } finally {
    demo.kill('SIGINT')
    await ended
  }
}

/** The ids of the documents with a word. */
async function found({ get }: Demo, word: string): Promise<string[]> {
  const { body } = await get(`/v1/documents?companyId=EN&search=${word}`)
  return (body as { items: { id: string }[] }).items.map(({ id }) => id)
}

async function thumbnailOfPhoto(demo: Demo): Promise<{ width: number; height: number }> {
  const [id] = await found(demo, 'suspenders')
  const { body } = await demo.get(`/v1/documents/${id}/thumbnail`)
  return body as { width: number; height: number }
}

it('serves the demo, with thumbnails of pictures', async () => {
  expect(packagesOf('complete')).toContain('sharp')
  await withDemo('complete', async (demo) => {
    expect(await demo.get('/health/ready')).toMatchObject({ status: 200 })
    expect(await demo.get('/v1/attribute-values/C1?$limit=1')).toMatchObject({
      status: 200,
      body: [expect.objectContaining({ attributeId: 'C1' })],
    })
    // On a busy machine the first picture may take too long, and have an icon for once.
    await expect
      .poll(async () => {
        const { width, height } = await thumbnailOfPhoto(demo)
        return width !== height
      })
      .toBe(true)
    expect(demo.log()).not.toContain('package-missing')
  })
})

it('serves without its optional packages: one package, icons for pictures, and the text of PDFs', async () => {
  expect(packagesOf('bare')).toEqual(['tabularium'])
  await withDemo('bare', async (demo) => {
    const { width, height } = await thumbnailOfPhoto(demo)
    expect(width).toBe(height)
    expect(demo.log()).toContain('thumbnails of pictures are icons: npm install sharp')
    // The word stands in the text of a PDF alone, which is read in the background.
    await expect.poll(() => found(demo, '317526490')).toHaveLength(1)
  })
})

it('has the guides', () => {
  const pages = readdirSync(join(folder, 'bare/node_modules/tabularium/dist/guides'))
  const expected = ['index.html.br', 'api.html.br', 'assets', 'query', 'setup.schema.json.br']
  expect(pages).toEqual(expect.arrayContaining(expected))
})

/** Folders, and what kinds of files are below them. */
const CONTENT = {
  '.': ['', '.json', '.md'],
  bin: ['.js'],
  dist: ['', '.js', '.md'],
  'dist/console': ['.br', '.json'],
  'dist/guides': ['.br', '.json'],
  'dist/node_modules': ['', '.bcmap', '.json', '.mjs', '.pfb', '.ttf', '.wasm'],
  'examples/demo': ['.md', '.ndjson', '.yaml'],
  'examples/demo/documents': ['.docx', '.jpg', '.md', '.pdf', '.png', '.tif', '.txt', '.xlsx'],
}
const MOST_PACKED_BYTES = 6_700_000
const MOST_INSTALLED_BYTES = 16_000_000

/** Without their folders and endings. */
function picturesOfGuides(): string[] {
  const pages = globSync('guides/**/*.md', { cwd: CHECKOUT }).map((page) => readFileSync(join(CHECKOUT, page), 'utf8'))
  const shown = pages.flatMap((page) => [...page.matchAll(/\/([\w-]+)\.png\)/g)].map(([, name = '']) => name))
  return [...new Set(shown)].sort()
}

it('holds what runs and what is read, in a few megabytes: no tests, no sources, no pictures that no guide shows', () => {
  const installed = join(folder, 'bare/node_modules/tabularium')
  const files = globSync('**/*', { cwd: installed, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name))
  const folders = Object.keys(CONTENT).sort((one, other) => other.length - one.length)
  const kinds = Map.groupBy(paths, (path) => {
    const inside = relative(installed, path)
    return folders.find((name) => inside.startsWith(`${name}/`)) ?? '.'
  })
  const found = [...kinds].map(([name, members]) => [name, [...new Set(members.map((path) => extname(path)))].sort()])
  expect(Object.fromEntries(found)).toEqual(CONTENT)
  const pictures = paths.flatMap((path) => /([\w-]+)\.[\w-]+\.png\.br$/.exec(path)?.[1] ?? [])
  expect(pictures.sort()).toEqual(picturesOfGuides())
  expect(paths.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThanOrEqual(MOST_INSTALLED_BYTES)
  expect(statSync(join(folder, packed())).size).toBeLessThanOrEqual(MOST_PACKED_BYTES)
})

it('needs no scripts to be run by who installs it, and no other package', () => {
  const { scripts, dependencies } = JSON.parse(
    readFileSync(join(folder, 'bare/node_modules/tabularium/package.json'), 'utf8'),
  )
  expect(dependencies).toBeUndefined()
  expect(Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([])
})

it('names the package that a setting needs', async () => {
  const args = ['serve', '--data', join(folder, 'bare/data'), '--port', '0', '--thumbnails', 'render']
  const failed = await run(process.execPath, [programOf('bare'), ...args]).catch((error) => error)
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.stderr).toBe('tabularium: --thumbnails render needs more packages: npm install @napi-rs/canvas\n')
})

it('has every program that it starts, and the licences of the libraries in it', () => {
  const dist = join(folder, 'bare/node_modules/tabularium/dist')
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  const programs = globSync('src/**/*.ts', { cwd: CHECKOUT })
    .flatMap((file) => [...readFileSync(join(CHECKOUT, file), 'utf8').matchAll(STARTED)])
    .map(([, name]) => `${name}.js`)
  expect(programs).toEqual(expect.arrayContaining(['reader-process.js', 'encoder-process.js']))
  for (const program of programs) expect(files.map((file) => basename(file))).toContain(program)
  expect(readFileSync(join(dist, 'LICENSES.md'), 'utf8')).toMatch(
    /^# find-my-way [\d.]+ \(MIT\)\n\nMIT License\n\nCopyright/m,
  )
})

it('reports the required version in one line on an old Node.js', async () => {
  const bundle = join(dirname(programOf('complete')), '../dist/main.js')
  for (const path of [programOf('complete'), bundle, join(CHECKOUT, 'bin/tabularium.js')]) {
    const failed = await run(process.execPath, ['--import', OLD, path, 'serve']).catch((error) => error)
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).toMatch(/^tabularium: Node\.js 24 or newer is needed, and this is 20\.1\.0: [^\n]+\n$/)
  }
})
