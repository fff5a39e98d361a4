// The page in the place of a site that is not built. It loads nothing, and its policy allows nothing but its own style.
import { createHash } from 'node:crypto'
import type { Reply } from '../route/send.ts'

const STYLE = ':root { color-scheme: light dark } body { margin: 2rem; font: 1rem/1.55 system-ui, sans-serif }'

/** `paragraphs` is HTML. */
export function unbuiltPage(status: number, paragraphs: string): Reply {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tabularium</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Tabularium</h1>
${paragraphs}
</body>
</html>
`
  return { status, body, headers: HEADERS }
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
}
