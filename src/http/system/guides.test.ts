import { expect, it } from 'vitest'
import { Guides } from './guides.ts'

it('tells in one page how the guides are built when they are not, and where programs read every endpoint', () => {
  const guides = new Guides('/web-api', new URL('no-such-folder/', import.meta.url))
  const { status, body, headers } = guides.replyTo('', 'http://any.host', {})
  expect([status, headers?.['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(body).toContain('<code>npm run guides</code>')
  expect(body).toContain('<a href="/web-api/openapi.json">')
  expect(guides.replyTo('start/tutorial', 'http://any.host', {}).status).toBe(404)
})
