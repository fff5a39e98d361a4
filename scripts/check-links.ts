// A part of `npm run check`: every link of the pages leads to a file and a heading that are there. Addresses of other
// hosts are left alone, because nothing here needs a network.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const PAGES = globSync([
  '*.md',
  'docs/*.md',
  'guides/**/*.md',
  'examples/demo/README.md',
  'deploy/**/*.md',
  'packages/*/*.md',
])
const CODE = /^( *)```[\s\S]*?^\1```|`[^`\n]*`/gm
const LINK = /\]\(([^)\s]+)\)/g
/** An operation at the page of every endpoint. */
const API = /^\/api#\/.+\/(.+)$/

const operations = new Set(
  [...readFileSync('docs/generated/openapi.json', 'utf8').matchAll(/"operationId": "(\w+)"/g)].map(([, id]) => id),
)

/** The anchors of headings, as GitHub and VitePress name them. */
function anchorsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** What is wrong with a link, if anything is. */
function defectOf(page: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined
  const [, operation] = API.exec(link) ?? []
  if (operation !== undefined) return operations.has(operation) ? undefined : 'no such operation'
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? page : fileOf(page, path)
  if (file === undefined) return 'no such file'
  return anchor === undefined || anchorsOf(file).includes(anchor) ? undefined : 'no such heading'
}

/** A link of the site begins with a slash, and may leave out the ending of a page. */
function fileOf(page: string, path: string): string | undefined {
  const place = path.startsWith('/') ? join('guides', path) : normalize(join(dirname(page), path))
  return [place, `${place}.md`, join('guides/public', path)].find((file) => existsSync(file))
}

const defects = PAGES.flatMap((page) =>
  [...readFileSync(page, 'utf8').replaceAll(CODE, '').matchAll(LINK)].flatMap(([, link = '']) => {
    const defect = defectOf(page, link)
    return defect === undefined ? [] : [`${page}: ${link}: ${defect}`]
  }),
)
for (const defect of defects) console.error(defect)
if (defects.length > 0) process.exitCode = 1
