// The media ranges of an `Accept` header (RFC 9110, 12.5.1), with their parameters, the most wished first.

export interface MediaRange {
  /** In lower case, as all names and values are. */
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
}

/** Longer than any real header; what stands behind is not read. */
const MAX_HEADER = 2_000

/** Equal weights stay in their order; what has the weight 0 is left out. */
export function mediaRangesOf(header: string): MediaRange[] {
  const weighted = header.slice(0, MAX_HEADER).split(',').map(mediaRange)
  const weightOf = ({ parameters }: MediaRange) => Number(parameters.get('q') ?? 1)
  return weighted.filter((range) => weightOf(range) > 0).sort((one, other) => weightOf(other) - weightOf(one))
}

export function mediaRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const pairs = parameters.map((parameter): [string, string] => {
    const [name = '', value = ''] = parameter.split('=')
    return [name.trim(), value.trim().replaceAll('"', '')]
  })
  return { type, parameters: new Map(pairs) }
}
