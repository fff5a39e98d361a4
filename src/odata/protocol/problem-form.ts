import type { Problem } from '../../errors/problem.ts'
import { VERSION } from './version.ts'

/** OData's own body of an error. */
export function problemForm({ status, code, message }: Problem) {
  return { body: { error: { code: String(code ?? status), message } }, headers: VERSION }
}
