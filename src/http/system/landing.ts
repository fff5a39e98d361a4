// What browsers request without being told to: the landing page, icons and robots.txt. They are public and have no
// company data in them.
import { PROGRAM_VERSION } from '../../base/process/program-version.ts'
import { html, pageWith } from '../openapi/page/html.ts'
import { PAGE_HEADERS } from '../openapi/routes.ts'
import type { Reply } from '../reply/send.ts'
import type { Router } from '../router.ts'
import { iconPng } from './icon.ts'

/** Pages of the guides by their address below `/docs`. */
const GUIDES: Readonly<Record<string, string>> = {
  'start/tutorial': 'Tutorial: the first requests',
  'administration/setup': 'Setting up a company, its users and clients',
  'administration/data-folder': 'Running the service: data folder, start and stop',
  'reference/errors': 'Errors, and what to do',
}

/** Sizes in pixels. Phones show the larger one on their home screen. */
const ICONS: Readonly<Record<string, number>> = {
  '/favicon.ico': 32,
  '/apple-touch-icon.png': 180,
  '/apple-touch-icon-precomposed.png': 180,
}

export function landingRoutes(router: Router, basePath: string): void {
  const page: Reply = { status: 200, body: landingPage(basePath), headers: PAGE_HEADERS }
  for (const path of ['/', '/index.html']) router.browserPage(path, () => page)
  for (const [path, side] of Object.entries(ICONS)) {
    router.open(
      ['GET', 'HEAD'],
      path,
      once(() => icon(side)),
    )
  }
  router.open(['GET', 'HEAD'], '/robots.txt', () => ({
    status: 200,
    body: 'User-agent: *\nDisallow: /\n',
    headers: PLAIN,
  }))
}

/** Makes the reply on the first request and reuses it, because the route is public. */
function once(make: () => Reply): () => Reply {
  let reply: Reply | undefined
  return () => {
    reply ??= make()
    return reply
  }
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8' }

function icon(side: number): Reply {
  return {
    status: 200,
    body: iconPng(side),
    headers: { 'content-type': 'image/png', 'cache-control': 'max-age=86400' },
  }
}

function landingPage(basePath: string): string {
  const guides = Object.entries(GUIDES).map(
    ([page, title]) => html`<li><a href="${basePath}/docs/${page}">${title}</a></li>
`,
  )
  return pageWith(
    'Tabularium',
    html`<header>
<h1>Tabularium</h1>
<p>An enterprise records service runs here: master data, relations, customers and papers behind one JSON interface for programs.</p>
<p class="dim">Version ${PROGRAM_VERSION}.</p>
</header>
<main>
<h2>The interface</h2>
<ul>
<li><a href="${basePath}/docs/api">Reference</a>: every endpoint with examples, to read</li>
<li><a href="${basePath}/openapi.json">openapi.json</a>: the same for programs (OpenAPI 3.1)</li>
<li><a href="${basePath}/asyncapi.json">asyncapi.json</a>: the changes that it tells of, by feed and webhooks (AsyncAPI 3.0)</li>
</ul>
<p>Requests carry a client's id and secret, or a token for them from <code>POST ${basePath}/oauth/token</code>. An administrator gives them.</p>
<h2>Guides</h2>
<ul>
<li><a href="${basePath}/docs">All guides</a>: concepts, the query language, recipes, administration, with search</li>
${guides}</ul>
</main>
`,
  )
}
