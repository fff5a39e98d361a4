// The only place that turns a thrown error into a response. Anything but a Problem is a bug: a bare 500.

import type { Caller } from '../../access/caller.ts'
import { codeOf } from '../../base/thrown.ts'
import { internalError, malformed } from '../../errors/catalogue.ts'
import { Problem } from '../../errors/problem.ts'
import { reasonOf } from '../../errors/reason.ts'
import type { Observe } from '../../observe/observation.ts'
import type { PlainRequest } from '../route/plain-request.ts'
import type { ProblemForm } from '../route/route.ts'
import { send } from '../route/send.ts'
import { languageHeaders, messageLanguageOf, translatedProblem } from './reader.ts'
import { recordOf } from './request-record.ts'

export type ReplyError = (error: unknown, request: PlainRequest) => void

interface ErrorReplierParts {
  readonly observe: Observe
  /** Whether connections are closed after their response. */
  readonly isStopping: () => boolean
  /** How problems of a request that no route takes are answered; undefined: as all others. */
  readonly unroutedForm: (url: string) => ProblemForm | undefined
}

/** A client that is still sending its body gets the response: the rest of the body is read and ignored. */
export function errorReplier({ observe, isStopping, unroutedForm }: ErrorReplierParts): ReplyError {
  return (error, request) => {
    const { id: requestId, method, path, raw, route, caller } = request
    const problem = isCutOff(error, request) ? CUT_OFF : error instanceof Problem ? error : internalError(requestId)
    const language = messageLanguageOf(raw.headers)
    const told = translatedProblem(problem, language)
    const form = (route.problemForm ?? unroutedForm(raw.url ?? ''))?.(told)
    const body = JSON.stringify(form?.body ?? told.body)
    recordOf(request.response).problem = problem
    observeProblem(observe, { requestId, method, path }, problem, { error, caller })
    const given = { ...problem.headers, ...form?.headers, ...languageHeaders(language) }
    const headers = isStopping() ? { ...given, connection: 'close' } : given
    if (!request.isAnswered) send(request, { status: problem.status, body, headers })
  }
}

interface RequestFields {
  readonly requestId: string
  readonly method: string
  readonly path: string
}

/** Tells of a request that was refused, or has failed because of a bug: then `error` says which. */
export function observeProblem(
  observe: Observe,
  fields: RequestFields,
  problem: Problem,
  { error, caller }: { readonly error: unknown; readonly caller: Caller | undefined },
): void {
  if (problem.status === 500) observe({ kind: 'request-failed', ...fields, error })
  else {
    const { status, code = 0 } = problem
    observe({ kind: 'request-refused', ...fields, status, code, reason: reasonOf(problem) })
  }
  if (problem.isAccessDenied && caller) observe({ kind: 'access-refused', ...fields, ...identityOf(caller) })
}

/** For a client that disconnects while it sends the body; not logged as a failure. */
const CUT_OFF = malformed('The request was cut off.')

function isCutOff(error: unknown, { raw }: PlainRequest): boolean {
  return raw.destroyed && !raw.complete && codeOf(error) === 'ECONNRESET'
}

/** Leaves out the requested company, which may belong to another tenant. */
function identityOf({ actor: { userId, clientId }, actedAs, defaultCompany }: Caller) {
  return { userId, clientId, actedAs, companyId: defaultCompany }
}
