// The text of an e-mail that has HTML alone. Nothing of it is run or loaded: what is left is text.

const TAG = /^[a-z/!?]/i
const HIDDEN = /^(?:style|script|head|title)$/i
const LINES = /^\/?(?:p|div|tr|li|h[1-6]|table|blockquote)$|^br$/i
const ENTITIES: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** In time that grows with the length, whatever the markup is like. */
export function textOfHtml(html: string): string {
  const [first = '', ...parts] = html.split('<')
  let text = first
  let hidden: string | undefined
  for (const part of parts) {
    const name = /^\/?[a-z][a-z0-9]*/i.exec(part)?.[0].toLowerCase() ?? ''
    if (hidden !== undefined && name !== `/${hidden}`) continue
    hidden = HIDDEN.test(name) ? name : undefined
    if (!TAG.test(part)) text += `<${part}`
    else if (hidden === undefined) text += (LINES.test(name) ? '\n' : '') + part.slice(part.indexOf('>') + 1)
  }
  return text
    .replace(/&(?:#(\d{1,7})|([a-z]{2,4}));/gi, decoded)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

function decoded(entity: string, number: string | undefined, name = ''): string {
  const code = Number(number)
  if (number !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : entity
  return ENTITIES[name.toLowerCase()] ?? entity
}
