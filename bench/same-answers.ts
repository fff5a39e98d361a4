// Before anything is measured: every subject must do the same work.
import type { Subject } from './subject.ts'
import type { Workload } from './workloads.ts'

/** Throws when one request is not answered alike by all, or a collection has another number of records than it says. */
export async function requireSameAnswers(
  subjects: readonly Subject[],
  workload: Workload,
  token: string,
): Promise<void> {
  const { method, path, body } = workload.next()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  let first: string | undefined
  for (const subject of subjects) {
    const answer = await fetch(subject.address + path, { method, headers, ...(body === undefined ? {} : { body }) })
    const text = `${answer.status} ${await answer.text()}`
    first ??= text
    if (text !== first) throw differs(workload, subject, first, text)
    const records = workload.records === undefined ? undefined : JSON.parse(text.slice('200 '.length)).length
    if (records !== workload.records) throw new Error(`${workload.name}: ${records} records, not ${workload.records}`)
  }
}

function differs(workload: Workload, subject: Subject, expected: string, found: string): Error {
  const [one, other] = [expected, found].map((text) => text.slice(0, 1_000))
  return new Error(`${workload.name} is answered otherwise by the ${subject.name}:\n${one}\n${other}`)
}
