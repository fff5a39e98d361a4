// The requests in code whose language cannot run here: taken out of its texts, to be sent by a test.

export interface ForeignRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

type Extract = (code: string) => ForeignRequest[]

const JSON_TYPE = { 'content-type': 'application/json' }

/** Calls of HttpClient; texts that `Uri.EscapeDataString` has made are put into their places. */
const csharp: Extract = (code) => {
  const escaped = new Map(
    [...code.matchAll(/var (\w+) = Uri\.EscapeDataString\("([^"]*)"\)/g)].map(([, name = '', text = '']) => [
      name,
      encodeURIComponent(text),
    ]),
  )
  const calls = code.matchAll(/client\.(Get|Post|Patch)\w*Async(?:<[^(]*>)?\(\s*\$?"([^"]+)"(?:, new \{ (.*?) \})?\)/g)
  return [...calls].map(([, method = '', text = '', members]) => {
    const path = text.replaceAll(/\{(\w+)\}/g, (_, name: string) => escaped.get(name) ?? '')
    if (members === undefined) return { method, path, headers: {} }
    return { method, path, headers: JSON_TYPE, body: `{${members.replaceAll(/(\w+) = /g, '"$1":')}}` }
  })
}

/** Calls of Invoke-RestMethod; variables that hold a text or a sum of texts are put into their places. */
const powershell: Extract = (code) => {
  const values = new Map<string, string>()
  const textOf = (expression: string): string =>
    [...expression.matchAll(/(\[uri\]::EscapeDataString\()?(?:'((?:[^']|'')*)'|\$(\w+))/g)]
      .map(([, escapes, text, name = '']) => {
        const value = text?.replaceAll("''", "'") ?? values.get(name) ?? ''
        return escapes ? encodeURIComponent(value) : value
      })
      .join('')
  for (const [, name = '', expression = ''] of code.matchAll(/^\$(\w+) = (.*)$/gm)) {
    values.set(name, name === 'service' ? '' : textOf(expression))
  }
  return [...code.matchAll(/^Invoke-RestMethod (.*)$/gm)].map(([, call = '']) => {
    const given = (option: string) => new RegExp(`-${option} (\\([^)]*\\)|\\S+)`).exec(call)?.[1]
    const [method = 'Get', body] = [given('Method'), given('Body')]
    const path = textOf(given('Uri') ?? '')
    const type = given('ContentType')
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': textOf(type) }
    return { method, path, headers, ...(body === undefined ? {} : { body: textOf(body) }) }
  })
}

/** Web.Contents with its relative path, query and headers. */
const powerquery: Extract = (code) => {
  const pairsIn = (record: string): [name: string, value: string][] => {
    const [, inside = ''] = new RegExp(`${record} = \\[([\\s\\S]*?)\\]`).exec(code) ?? []
    return [...inside.matchAll(/(?:#"([^"]+)"|(\w+)) = "([^"]*)"/g)].map(([, quoted, name = '', value = '']) => {
      return [quoted ?? name, value]
    })
  }
  const [, path = ''] = /RelativePath = "([^"]*)"/.exec(code) ?? []
  const query = new URLSearchParams(pairsIn('Query'))
  return [{ method: 'Get', path: `/${path}?${query}`, headers: Object.fromEntries(pairsIn('Headers')) }]
}

export const FOREIGN: Readonly<Record<string, Extract>> = { csharp, powershell, powerquery }
