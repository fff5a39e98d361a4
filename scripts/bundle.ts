// Bundles the program with its libraries for the package: a start is mostly finding and reading modules, and there are
// two thousand of them. Only packages with compiled parts stay outside; installations may leave them out.
import { cpSync, globSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCE = join(ROOT, 'src')
const TARGET = join(ROOT, 'dist')
/** Finds files beside its modules, so that it is copied: a tenth of it is needed. */
const COPIED = 'pdfjs-dist'
const COPIED_FILES = ['package.json', 'LICENSE', 'cmaps', 'standard_fonts', 'wasm']
/** Under the names of what they are made of, which the program asks for. */
const COPIED_MINIFIED = ['legacy/build/pdf', 'legacy/build/pdf.worker']
/**
 * What runs the scripts of documents, which nothing here does; what stands in for WebAssembly, which Node.js has; and
 * character maps that no document may name, because they are not among those of ISO 32000-1, 9.7.5.2.
 */
const NOT_COPIED = /quickjs|nowasm|cmaps.*(?:UTF8|UTF32|-\d\.bcmap)/i
/** The guides have it in a file of its own. */
const VIEWER = join(ROOT, 'node_modules/@fastify/swagger-ui')
const STARTED = /\b(?:siblingModule|startProgram)\('([\w-]+)'/g
/** Stands for the folder of the package's program until it is known which file the code is in. */
const ANCHOR = 'tabularium-dist:'

/** The program, and the modules that it starts as processes and threads. */
function programs(): Record<string, string> {
  const files = globSync('**/*.ts', { cwd: SOURCE }).filter((file) => !file.endsWith('.test.ts'))
  const started = files.flatMap((file) =>
    [...readFileSync(join(SOURCE, file), 'utf8').matchAll(STARTED)].map(([, name]) => `${name}.ts`),
  )
  const all = files.filter((file) => file === 'main.ts' || started.includes(basename(file)))
  return Object.fromEntries(all.map((file) => [file.replace(/\.ts$/, ''), join(SOURCE, file)]))
}

/** Modules find files of the package from where their own source would be. */
const locations: Plugin = {
  name: 'locations',
  transform: (code, id) => {
    if (!id.startsWith(SOURCE) || !code.includes('import.meta.url')) return
    const place = relative(SOURCE, id).replace(/\.ts$/, '.js')
    return code.replaceAll('import.meta.url', `new URL('${ANCHOR}${place}', import.meta.url).href`)
  },
  renderChunk: (code, { fileName }) =>
    code.replaceAll(ANCHOR, `./${posix.relative(posix.dirname(fileName), '.')}/`.replace('//', '/')),
}

/** The licences of the bundled libraries, which must come with them. Libraries with the same text stand together. */
function licences(modules: readonly string[]): string {
  const folders = modules.map((id) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? '')
  const found = [...new Set(folders)].filter((folder) => folder !== '').sort()
  const groups = Map.groupBy(found, (folder) => {
    const [file] = globSync('{LICENSE,LICENCE,license,COPYING}*', { cwd: folder })
    return file ? readFileSync(join(folder, file), 'utf8').trim() : ''
  })
  return [...groups].map(([text, members]) => `${members.map(headingOf).join('\n')}\n\n${text}\n`).join('\n')
}

function headingOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `# ${name} ${version} (${license})`
}

/** V8 keeps a text twice as large when a single character is not of Latin-1, and reads it slower. */
const narrow: Plugin = {
  name: 'narrow',
  generateBundle: (_options, files) => {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = escaped(file.code)
  },
}

/** Only texts and patterns have such characters, and no raw template does. */
function escaped(code: string): string {
  return code.replace(/(?<!\\)[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const startedAt = new Date()
const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const bundle = await rolldown({
  input: programs(),
  platform: 'node',
  external: [/^node:/, ...[...Object.keys(optionalDependencies), COPIED].map((name) => new RegExp(`^${name}(/|$)`))],
  plugins: [locations, narrow],
})
for (const file of globSync('*', { cwd: TARGET, exclude: ['guides', 'console'] }))
  rmSync(join(TARGET, file), { recursive: true })
const { output } = await bundle.write({
  dir: TARGET,
  entryFileNames: '[name].js',
  chunkFileNames: 'parts/[name]-[hash].js',
  comments: false,
  // The names of functions are read in logs. Whole statements on one line are half of the text that each process keeps.
  minify: { compress: { keepNames: { function: true, class: true } }, mangle: { keepNames: true }, codegen: true },
})
await bundle.close()
writeFileSync(
  join(TARGET, 'LICENSES.md'),
  licences([...output.flatMap((file) => ('moduleIds' in file ? file.moduleIds : [])), VIEWER]),
)
const [copied, copy] = [ROOT, TARGET].map((folder) => join(folder, 'node_modules', COPIED)) as [string, string]
for (const file of COPIED_FILES)
  cpSync(join(copied, file), join(copy, file), { recursive: true, filter: (path) => !NOT_COPIED.test(path) })
for (const file of COPIED_MINIFIED) cpSync(join(copied, `${file}.min.mjs`), join(copy, `${file}.mjs`))
// As old as what was read: what was changed meanwhile is newer, and `bin/tabularium.js` runs the sources.
utimesSync(join(TARGET, 'main.js'), startedAt, startedAt)
