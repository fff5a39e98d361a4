// The guides at `/docs`: the site that `npm run guides` has built of the folder `guides`. Nothing in it is loaded from
// elsewhere, and of scripts the policy allows only its own.
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { extname } from 'node:path'
import type { TrustedProxies } from '../../base/trusted-proxies.ts'
import { originOf } from '../pipeline/origin.ts'
import { CachedText } from '../route/cached-text.ts'
import type { PlainRequest } from '../route/plain-request.ts'
import type { Reply } from '../route/send.ts'
import type { Router } from '../router.ts'
import { BASE_PATH, contentOf, headersOf, isText, namesIn } from './site-files.ts'
import { unbuiltPage } from './unbuilt-page.ts'

const SITE = new URL('../../../dist/guides/', import.meta.url)

/** Where the service is in the sources of the guides. Who reads them here pastes the address that was asked. */
const ADDRESS = 'http://127.0.0.1:8080'

export function guideRoutes(router: Router, basePath: string, proxies: TrustedProxies): void {
  const guides = new Guides(basePath, SITE)
  const reply = (name: string, { headers, raw }: PlainRequest) => guides.replyTo(name, originOf(proxies, raw), headers)
  router.open('GET', '/docs', (request) => reply('', request))
  router.open('GET', '/docs/*', (request) => reply(request.params['*'] ?? '', request))
}

export class Guides {
  readonly #basePath: string
  readonly #site: URL
  readonly #replies = new Map<string, CachedText>()
  /** Replies that name the origin which was asked last; the others, and the large ones, are the same for all. */
  readonly #addressed = new Map<string, CachedText>()
  #origin = ''
  #files: ReadonlyMap<string, string> | undefined

  constructor(basePath: string, site: URL) {
    this.#basePath = basePath
    this.#site = site
  }

  /** Only the names of files that were there at the first request are looked for, so no name leads elsewhere. */
  replyTo(name: string, origin: string, headers: IncomingHttpHeaders): Reply {
    if (origin !== this.#origin) {
      this.#addressed.clear()
      this.#origin = origin
    }
    this.#files ??= filesOf(this.#site)
    if (!this.#files) return unbuiltPage(name === '' ? 200 : 404, unbuilt(this.#basePath))
    const known = this.#files.has(name) ? name : '404'
    let reply = this.#replies.get(known) ?? this.#addressed.get(known)
    if (!reply) {
      const file = this.#files.get(known) ?? ''
      const content = contentOf(this.#site, file)
      reply = this.#replyWith(content, file, known === '404' ? 404 : 200)
      const replies = content.includes(ADDRESS) ? this.#addressed : this.#replies
      replies.set(known, reply)
    }
    return reply.replyTo(headers)
  }

  #replyWith(content: Buffer, file: string, status: number): CachedText {
    if (!isText(file)) return new CachedText(content, headersOf(file), status)
    const text = content
      .toString()
      .replaceAll(BASE_PATH, this.#basePath)
      .replaceAll(ADDRESS, this.#origin + this.#basePath)
    const isPage = extname(file) === '.html'
    const headers = { ...headersOf(file), ...(isPage ? { 'content-security-policy': policyOf(text) } : {}) }
    return new CachedText(text, headers, status)
  }
}

/** By name in the address: pages without their ending. Undefined when the site is not built. */
function filesOf(site: URL): ReadonlyMap<string, string> | undefined {
  const files = namesIn(site)
  return files && new Map(files.map((file) => [file.replace(/(?:(?:^|\/)index)?\.html$/, ''), file]))
}

/** The colours of code are attributes of its words; a style can neither call nor load anything. */
function policyOf(page: string): string {
  const scripts = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(scripts)].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

const unbuilt = (basePath: string) =>
  `<p>The guides are not built: <code>npm ci</code> does it, and with <code>--ignore-scripts</code> <code>npm run guides</code>. Their sources are the Markdown files of the folder <code>guides</code>.</p>
<p>Programs read every endpoint of this service in <a href="${basePath}/openapi.json">openapi.json</a>.</p>`
