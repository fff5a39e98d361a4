import { type AskedRequest, type Explanation, explainerOf } from '../../app/explain-access.ts'
import { openReadOnly } from '../../databases/open/open-read-only.ts'
import type { OwnRule } from '../../objects/own-access.ts'
import { type StoreFlags, storeOptions } from '../settings/settings.ts'
import { badUsage } from '../terminal/bad-usage.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface AccessSettings extends StoreFlags {
  readonly client: string
  readonly company?: string
  readonly format: 'text' | 'json'
}

export interface RequestToExplain {
  readonly method: AskedRequest['method']
  readonly url: string
}

export async function printAccess(
  { method, url }: RequestToExplain,
  settings: AccessSettings,
  terminal: Terminal,
): Promise<void> {
  const { client: clientId, company, format } = settings
  const { pathname: path, searchParams } = new URL(url, 'http://any.host')
  const inAddress = [...searchParams].find(([name]) => /^\$?companyid$/i.test(name))?.[1]
  if (company !== undefined && inAddress !== undefined && company.toLowerCase() !== inAddress.toLowerCase())
    throw badUsage(`option '--company': ${company} is not the company of the address, ${inAddress}`)
  await using database = await openReadOnly(storeOptions(settings))
  const requested = { clientId, companyId: company ?? inAddress, method, path }
  const explain = await explainerOf(database)
  const explanation = explain(requested)
  terminal.stdout.write(
    format === 'json' ? `${JSON.stringify(explanation, null, 2)}\n` : explanationText(clientId, explanation),
  )
  if (explanation.refusal) terminal.exitCode = 1
}

function explanationText(clientId: string, explanation: Explanation): string {
  const { refusal, userId, companyId, needs, givenBy, wouldBeGivenBy, rules, withoutAssociated } = explanation
  const who = `client ${clientId}, user ${userId}, company ${companyId}`
  const lines = [
    refusal ? `refused with ${refusal.status}: ${refusal.reason} (${who})` : `allowed (${who})`,
    ...(refusal?.status === 404 ? [] : [`needs: ${needs.join(' and ')}`]),
    ...(refusal ? [] : [`given by: ${listOf(givenBy)}`]),
    ...(refusal && refusal.status !== 404 ? [`roles that allow it: ${listOf(wouldBeGivenBy)}`] : []),
    ...rules.flatMap(describeRule),
    ...withoutAssociated.map((name) => `rule: nothing is shown of the associated ${name}, which no role names`),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function listOf(roles: readonly string[]): string {
  return roles.length === 0 ? 'none' : roles.map((role) => `role ${role}`).join(', ')
}

function describeRule({ document, filter, hidden }: OwnRule): string[] {
  return [
    ...(filter === undefined ? [] : [`rule: of ${document} only rows that meet ${filter}`]),
    ...(hidden.length === 0 ? [] : [`rule: of ${document} without ${hidden.join(', ')}`]),
  ]
}
