// The files of a site, as `scripts/build-site.ts` leaves them: most are text, and each is compressed.
import { readdirSync, readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

const COMPRESSED = '.br'

/** With slashes on every system. Undefined when there is no such folder. */
export function filesIn(folder: URL): string[] | undefined {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
  } catch {
    return undefined
  }
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
