// What a header such as `Accept` or `Accept-Language` prefers (RFC 9110, 12.4 and 12.5).

export interface Preference {
  /** A media range or a language, in lower case, as all names and values are. */
  readonly name: string
  readonly parameters: ReadonlyMap<string, string>
}

/** Longer than any real header; what stands behind is not read. */
const MAX_HEADER = 2_000

/** The most wished first, equal ones in their order; without what has the weight 0, or one that is no number. */
export function preferencesIn(header: string): Preference[] {
  const all = header.slice(0, MAX_HEADER).split(',').map(preference)
  return all.filter((one) => weightOf(one) > 0).sort((one, other) => weightOf(other) - weightOf(one))
}

export function preference(text: string): Preference {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const pairs = parameters.map((parameter): [string, string] => {
    const [key = '', value = ''] = parameter.split('=')
    return [key.trim(), value.trim().replaceAll('"', '')]
  })
  return { name, parameters: new Map(pairs) }
}

export function weightOf({ parameters }: Preference): number {
  return Number(parameters.get('q') ?? 1)
}
