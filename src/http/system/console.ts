// The console at `/console/`: the files that `npm run console` has built. Every address that is no file is the page,
// which finds by itself what to show. The policy allows it nothing but its own files and this service.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getOrInsert } from '../../base/memo.ts'
import { noResource } from '../../errors/catalogue.ts'
import { CachedText } from '../route/cached-text.ts'
import type { Reply } from '../route/send.ts'
import type { Router } from '../router.ts'
import { BASE_PATH, contentOf, filesIn, headersOf, isText, namesIn } from './site-files.ts'
import { unbuiltPage } from './unbuilt-page.ts'

const SITE = new URL('../../../dist/console/', import.meta.url)

/** Tables, fonts, decoders and the worker: what PDF.js asks for by name. The service reads PDFs with the same files. */
const PDFJS = new URL('.', pathToFileURL(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')))
const ASKED_FOR = /^(?:cmaps|standard_fonts|wasm|legacy\/build)\/./

/** Below it is no page: whoever asks there wants no HTML. */
const ENDPOINTS = 'api/'

const PAGE = 'index.html'
/** What console/index.html has in the place of the number that styles made by scripts must carry. */
const NONCE = 'CSP-NONCE'

/** A worker has the policy of its script: that of PDF.js loads decoders of pictures. */
const SCRIPT_POLICY = "default-src 'none'; script-src 'self'"

export function consoleRoutes(router: Router, basePath: string): void {
  const site = new ConsoleSite(basePath, SITE)
  router.openUnlimited('/console', () => site.page())
  router.openUnlimited('/console/*', (request) => {
    const { headers, params, path } = request
    const { '*': name = '' } = params
    if (name.startsWith(ENDPOINTS)) throw noResource(path)
    return site.file(name)?.replyTo(headers) ?? site.page()
  })
}

class ConsoleSite {
  readonly #basePath: string
  readonly #site: URL
  readonly #files = new Map<string, CachedText>()
  #contents: ReadonlyMap<string, () => Buffer> | undefined
  #page: string | undefined

  constructor(basePath: string, site: URL) {
    this.#basePath = basePath
    this.#site = site
  }

  /** Only the names of files that were there at the first request are looked for, so no name leads elsewhere. */
  file(name: string): CachedText | undefined {
    this.#contents ??= new Map([...contentsOf(this.#site), ...contentsOfPdfjs()])
    const content = this.#contents.get(name)
    if (!content) return undefined
    return getOrInsert(this.#files, name, () => this.#textOf(name, content()))
  }

  /** Each with a nonce of its own (CSP 3, 2.3.1), so it is never kept. */
  page(): Reply {
    this.#page ??= pageIn(this.#site)?.replaceAll(BASE_PATH, this.#basePath)
    if (this.#page === undefined) return unbuiltPage(200, unbuilt(this.#basePath))
    const nonce = randomBytes(16).toString('base64url')
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policyWith(nonce),
      'cross-origin-opener-policy': 'same-origin',
    }
    return { status: 200, body: this.#page.replace(NONCE, nonce), headers }
  }

  #textOf(name: string, bytes: Buffer): CachedText {
    const headers = headersOf(name)
    const content = isText(name) ? bytes.toString('utf8').replaceAll(BASE_PATH, this.#basePath) : bytes
    const isScript = headers['content-type'].startsWith('text/javascript')
    return new CachedText(content, { ...headers, ...(isScript ? { 'content-security-policy': SCRIPT_POLICY } : {}) })
  }
}

/** By name, without the page itself, and what the build tells about it. */
function contentsOf(site: URL): [string, () => Buffer][] {
  const names = (namesIn(site) ?? []).filter((name) => !/^[^/]*\.(?:html|json)$/.test(name))
  return names.map((name) => [name, () => contentOf(site, name)])
}

/** Browsers keep assets, so the folder has the version in its name, as console/vite.config.ts gives it. */
function contentsOfPdfjs(): [string, () => Buffer][] {
  const { version } = JSON.parse(readFileSync(new URL('package.json', PDFJS), 'utf8'))
  const names = (filesIn(PDFJS) ?? []).filter((name) => ASKED_FOR.test(name) && extname(name) !== '')
  return names.map((name) => [`assets/pdfjs-${version}/${name}`, () => readFileSync(new URL(name, PDFJS))])
}

function pageIn(site: URL): string | undefined {
  return namesIn(site)?.includes(PAGE) ? contentOf(site, PAGE).toString() : undefined
}

/** A script may load nothing but files of the service, and makes markup by the one policy of console/src/main.tsx. */
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')
}

const unbuilt = (basePath: string) =>
  `<p>The console is not built: <code>npm ci</code> does it, and with <code>--ignore-scripts</code> <code>npm run console</code>.</p>
<p>The <a href="${basePath}/docs">guides</a> and <a href="${basePath}/docs/api">every endpoint</a> are here without it.</p>`
