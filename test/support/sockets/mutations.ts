// Mutations of a request's bytes that a broken or malicious sender might make.

const HOSTILE_BYTES = [
  '\r',
  '\n',
  '\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  ';',
  ',',
  '\x0b',
  '\x7f',
  '\x80',
  '\xff',
  '0',
  '-',
  '%',
  '"',
]
const HOSTILE_LINES = [
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: +5',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding : chunked',
  ' folded',
  'Connection: close',
  'Connection: keep-alive, Transfer-Encoding',
  'Expect: 100-continue',
  'Upgrade: websocket',
  'Host: y',
  '__proto__: 1',
  'Content-Type: text/plain',
  'Authorization: Bearer x',
  ': 1',
  '',
]

type Random = () => number
type Change = (text: string, random: Random) => string

const CHANGES: readonly Change[] = [
  (text, random) => spliced(text, placeIn(text, random), 0, oneOf(HOSTILE_BYTES, random)),
  (text, random) => spliced(text, placeIn(text, random), 1, oneOf(HOSTILE_BYTES, random)),
  (text, random) => spliced(text, placeIn(text, random), 1, ''),
  (text, random) => spliced(text, placeIn(text, random), 1, String.fromCharCode(Math.floor(random() * 256))),
  (text, random) => onLines(text, (lines) => lines.splice(1 + placeIn(lines, random), 0, oneOf(HOSTILE_LINES, random))),
  (text, random) => onLines(text, (lines) => lines.splice(placeIn(lines, random), 1)),
  (text, random) => onLines(text, (lines) => lines.splice(placeIn(lines, random), 0, oneOf(lines, random))),
  (text, random) => onLines(text, (lines) => lines.push(lines.splice(placeIn(lines, random), 1)[0] ?? '')),
  (text, random) => lineEndAs(text, oneOf(['\n', '\r', '\r\r\n', '\r\n\r\n', '\n\r'], random), random),
  (text, random) => text.slice(0, placeIn(text, random)),
  (text, random) =>
    text.replace(/(?<=Content-Length: )\d+/, (length) => String(Number(length) + Math.floor(random() * 9) - 4)),
  (text, random) => (random() < 0.5 ? text.toUpperCase() : text.toLowerCase()),
]

/** Applies one to three mutations. */
export function changed(text: string, random: Random): string {
  const times = 1 + Math.floor(random() * 3)
  return Array.from({ length: times }).reduce<string>((before) => oneOf(CHANGES, random)(before, random), text)
}

/** Splits the text where packets might be split. */
export function inChunks(text: string, random: Random): Buffer[] {
  const cuts = random() < 0.5 ? [] : [placeIn(text, random), placeIn(text, random)].sort((one, other) => one - other)
  const ends = [...cuts, text.length]
  return ends
    .map((end, at) => Buffer.from(text.slice(ends[at - 1] ?? 0, end), 'latin1'))
    .filter(({ length }) => length > 0)
}

function placeIn({ length }: { readonly length: number }, random: Random): number {
  return Math.floor(random() * length)
}

function oneOf<T>(from: readonly T[], random: Random): T {
  return from[placeIn(from, random)] as T
}

function spliced(text: string, at: number, count: number, put: string): string {
  return text.slice(0, at) + put + text.slice(at + count)
}

function onLines(text: string, change: (lines: string[]) => void): string {
  const lines = text.split('\r\n')
  change(lines)
  return lines.join('\r\n')
}

function lineEndAs(text: string, ending: string, random: Random): string {
  const at = text.indexOf('\r\n', placeIn(text, random))
  return at < 0 ? text + ending : spliced(text, at, 2, ending)
}
