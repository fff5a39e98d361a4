// What the service would say of a form now: it is asked while one types, and nothing is kept.
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type Client, Problem, ValidationProblem } from '#client'

/** What is wrong, by the path of the field. */
export type Findings = ReadonlyMap<string, string>

const PAUSE_MS = 400
const NOTHING: Findings = new Map()

const findingsOf = (problem: ValidationProblem): Findings =>
  new Map(
    [...problem.byField()].map(([path, all]) => [path.replace(/^\//, ''), all.map(({ message }) => message).join(' ')]),
  )

/** A value of another type has a problem without its field. */
const OF_TYPE = /^PatchOperation index \d+: The value '.*' of path '\/?(.+)' cannot be converted to ([\w-]+)/s
const NEEDED: Readonly<Record<string, string>> = {
  number: 'a number, such as 1234.5',
  integer: 'a whole number',
  'date-time': 'a date, such as 2026-01-31',
}

/** What an error says of fields. */
export function findingsIn(error: unknown): Findings | undefined {
  if (!(error instanceof ValidationProblem)) return undefined
  const [, path, type = ''] = OF_TYPE.exec(error.message) ?? []
  return path === undefined ? findingsOf(error) : new Map([[path, `This must be ${NEEDED[type] ?? type}.`]])
}

interface Checked {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: string
}

/** The latest answer counts. */
export function useFindings(service: Client, { method, path, body }: Checked, isChanged: boolean): Findings {
  const [asked] = useDebouncedValue(body, PAUSE_MS)
  const { data } = useQuery({
    queryKey: ['validated', method, path, asked],
    enabled: isChanged,
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }): Promise<Findings> => {
      try {
        await service.request({ method, path, body: asked, validateOnly: true, signal })
        return NOTHING
      } catch (error) {
        const findings = findingsIn(error)
        if (findings || error instanceof Problem) return findings ?? NOTHING
        throw error
      }
    },
  })
  return isChanged ? (data ?? NOTHING) : NOTHING
}
