import { expect, it } from 'vitest'
import { browserName } from './browser-name.ts'

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36'
const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

it.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME}`, 'Chrome, Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/147.0.0.0`, 'Edge, Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, macOS'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/19.0 Safari/605.1.15`, 'Safari, macOS'],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${APPLE} CriOS/147.0 Mobile/15E148 Safari/604.1`,
    'Chrome, iOS',
  ],
  [`Mozilla/5.0 (Linux; Android 16; K) ${CHROME}`, 'Chrome, Android'],
  ['curl/8.5.0', undefined],
  ['', undefined],
])('calls %s what people call it', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name)
})
