// What browsers request without being told to: the first address, icons and robots.txt. They are public and have no
// company data in them.
import type { Reply } from '../reply/send.ts'
import type { Router } from '../router.ts'
import { iconPng } from './icon.ts'

/** Sizes in pixels. Phones show the larger one on their home screen. */
const ICONS: Readonly<Record<string, number>> = {
  '/favicon.ico': 32,
  '/apple-touch-icon.png': 180,
  '/apple-touch-icon-precomposed.png': 180,
}

export function landingRoutes(router: Router, basePath: string): void {
  const toConsole: Reply = { status: 302, body: '', headers: { location: `${basePath}/console/` } }
  for (const path of ['/', '/index.html']) router.browserPage(path, () => toConsole)
  for (const [path, side] of Object.entries(ICONS)) {
    router.open(
      'GET',
      path,
      once(() => icon(side)),
    )
  }
  router.open('GET', '/robots.txt', () => ({
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
