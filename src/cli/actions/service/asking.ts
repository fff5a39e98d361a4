// What a service says to a request that fails, as the one line that a command prints.
import { NetworkProblem, NotAuthenticatedProblem, Problem } from '#client'
import type { ServiceCredentials } from '../../settings/logins.ts'
import { shown } from '../../terminal/terminal-text.ts'

/** The result of the work. Throws its problem again as one line that a terminal may show. */
export async function asking<Result>({ url }: ServiceCredentials, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) throw new Error(lineOf(error, url), { cause: error })
    throw error
  }
}

function lineOf(problem: Problem, url: string): string {
  if (problem instanceof NetworkProblem && problem.cause !== undefined && !problem.isTimeout)
    return `no complete answer of ${url}: ${shown(reasonOf(problem))}`
  if (problem instanceof NotAuthenticatedProblem)
    return `the service gives no token: ${shown(describedBy(problem) ?? problem.message)}`
  return shown(problem.message)
}

/** The deepest cause tells what the system has said. */
export function reasonOf(error: Error): string {
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message || error.name
}

/** The endpoint of tokens answers as RFC 6749 has it. */
function describedBy({ body }: Problem): string | undefined {
  const { error_description: text } = Object(body) as { readonly error_description?: unknown }
  return typeof text === 'string' ? text : undefined
}
