// The files of a site, as `scripts/build-site.ts` leaves them: most are text, and each is compressed.
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { orUndefined } from '../../base/thrown.ts'

const COMPRESSED = '.br'
/** What console/vite.config.ts and guides/.vitepress/config.ts have built into every address. */
export const BASE_PATH = '/BASE-PATH'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
}

/** With slashes on every system. Undefined when there is no such folder. */
export function filesIn(folder: URL): string[] | undefined {
  return orUndefined(() =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')),
  )
}

/** The names of the files, without what the build tells about itself. Undefined when the site is not built. */
export function namesIn(site: URL): string[] | undefined {
  return filesIn(site)
    ?.filter((name) => name.endsWith(COMPRESSED))
    .map((name) => name.slice(0, -COMPRESSED.length))
}

export function contentOf(site: URL, name: string): Buffer {
  return brotliDecompressSync(readFileSync(new URL(name + COMPRESSED, site)))
}

export function isText(name: string): boolean {
  return headersOf(name)['content-type'].includes('charset')
}

/** The names of assets have a hash of their content. */
export function headersOf(name: string) {
  return {
    'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
    'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
}
