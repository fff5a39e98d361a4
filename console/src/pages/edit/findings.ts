// What the service would say of a form now: it is asked while one types, and nothing is kept.
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type Client, Problem, ValidationProblem } from '#client'

/** What is wrong, by the path of the field. */
export type Findings = ReadonlyMap<string, string>

const PAUSE_MS = 400
const NOTHING: Findings = new Map()

export const findingsOf = (problem: ValidationProblem): Findings =>
  new Map(
    [...problem.byField()].map(([path, all]) => [path.replace(/^\//, ''), all.map(({ message }) => message).join(' ')]),
  )

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
        if (error instanceof ValidationProblem) return findingsOf(error)
        if (error instanceof Problem) return NOTHING
        throw error
      }
    },
  })
  return isChanged ? (data ?? NOTHING) : NOTHING
}
