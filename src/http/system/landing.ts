// What browsers request without being told to: the first address, icons and robots.txt. They are public and have no
// company data in them.

import { crc32, deflateSync } from 'node:zlib'
import type { Reply } from '../route/send.ts'
import type { Router } from '../router.ts'

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

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const BACKGROUND = [0x08, 0x7f, 0x5b]
const FOREGROUND = [0xff, 0xff, 0xff]

/** Half the width of a line, on a grid of 24 by 24. */
const HALF_LINE = 1
const ARCH = { radius: 3.25, springing: 13.5, bottom: 19 }

/** The mark of the service, as the console draws it: two arches under an architrave. */
function isInk(x: number, y: number): boolean {
  const nearest = x < 12 ? 8.75 : 15.25
  const fromArch = y < ARCH.springing ? Math.hypot(x - nearest, y - ARCH.springing) : Math.abs(x - nearest)
  const isArch = y <= ARCH.bottom && Math.abs(fromArch - ARCH.radius) <= HALF_LINE
  return isArch || (Math.abs(y - 6.5) <= HALF_LINE && x >= 4.5 && x <= 19.5)
}

/** Draws the mark as a PNG; `side` is in pixels, each of which is the mean of 16 points. */
function iconPng(side: number): Buffer {
  const scale = 24 / side
  const points = [0.125, 0.375, 0.625, 0.875]
  const rows = Array.from({ length: side }, (_, y) => {
    const pixels = Array.from({ length: side }, (_, x) => {
      const inked = points.flatMap((dy) => points.filter((dx) => isInk((x + dx) * scale, (y + dy) * scale)))
      const share = inked.length / points.length ** 2
      return BACKGROUND.map((level, channel) => Math.round(level + ((FOREGROUND[channel] ?? level) - level) * share))
    })
    // Each row starts with its filter type: none.
    return Buffer.from([0, ...pixels.flat()])
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // 8 bits per channel, colour type RGB.
  header.set([8, 2], 8)
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([SIGNATURE, ...parts])
}

function chunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const bytes = Buffer.alloc(typeAndData.length + 8)
  bytes.writeUInt32BE(data.length, 0)
  typeAndData.copy(bytes, 4)
  bytes.writeUInt32BE(crc32(typeAndData), typeAndData.length + 4)
  return bytes
}
