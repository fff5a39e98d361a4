// `mirror`: what an ERP system shows becomes a setup file, and the service that is served from it fills itself.
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Application } from '../../app/application.ts'
import { requireFreeAddress } from '../../app/listening.ts'
import { readText } from '../../base/process/files.ts'
import { discover } from '../../mirror/discover/discover.ts'
import { findTokenUrl } from '../../mirror/discover/find-token-url.ts'
import { mirrorSetup } from '../../mirror/discover/mirror-setup.ts'
import { NEW_DOCUMENT } from '../../mirror/document-state.ts'
import { documentStates, forgetMirror, LEASE_ROW, listFindings, MIRROR_LEASES } from '../../mirror/mirror-store.ts'
import { ARCHIVE, mirroredDocuments } from '../../mirror/mirrored-documents.ts'
import { ErpSource, SourceFailure, type SourceParts } from '../../mirror/source/source.ts'
import { verifyContents, verifyDocument } from '../../mirror/verify.ts'
import { listDocumentsWithoutFile } from '../../records/documents/copied-document-store.ts'
import { withoutSources } from '../../setup/file/setup-text.ts'
import { sourceRules } from '../../setup/rules/source.ts'
import type { Store } from '../../store/store.ts'
import type { ServeSettings } from '../settings/settings.ts'
import { askHidden } from '../terminal/ask-hidden.ts'
import { badUsage, requireFile } from '../terminal/bad-usage.ts'
import { formatCount, formatCountOf } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { shown } from '../terminal/terminal-text.ts'
import { recordsAt } from './records/find-records.ts'
import { firstSecrets } from './secrets.ts'
import { serve } from './serve.ts'
import { runSetup } from './setup.ts'
import { isWorker } from './worker.ts'

export interface MirrorSettings extends ServeSettings {
  readonly company?: string
  readonly setup: string
  readonly verify?: boolean
  readonly detach?: boolean
}

const CLIENT = 'ERP_CLIENT'
const SECRET = 'ERP_SECRET'
const TOKEN_URL = 'ERP_TOKEN_URL'
/** Who signs in to the console, and the client of programs. */
const PERSON = 'administrator'
const PROGRAMS = 'programs'

/** Serves until it is stopped. */
export async function mirror(url: string | undefined, settings: MirrorSettings, terminal: Terminal): Promise<void> {
  const { setup: file } = settings
  if (!isWorker) {
    await requireFreeAddress(settings)
    await askCredentials(terminal)
    if (existsSync(file)) terminal.stderr.write(`${file} is there, and is used as it is\n`)
    else await writeSetup(url, settings, terminal)
  }
  const started = ({ service: { companies, store } }: Application) => {
    const sources = companies.all.filter(({ hasSource }) => hasSource)
    for (const { id } of sources) void showLoading(store, id, terminal)
  }
  const greeting = (address: string) => `
The mirror is served, and fills itself. In a browser, as ${PERSON}:

  ${address}/

How far it is: ${address}/v1/mirror
Stop with Ctrl-C: it goes on where it was.
`
  await serve(settings, terminal, { started, greeting })
}

/** Workers have the variables of the process. */
async function askCredentials({ env, ...terminal }: Terminal): Promise<void> {
  for (const [name, question] of [
    [CLIENT, 'Client of the ERP system: '],
    [SECRET, 'Its secret: '],
  ] as const) {
    if (env[name]) continue
    if (!terminal.stdin.isTTY) throw badUsage(`the variable ${name} is missing`)
    const answer = await askHidden(question, terminal)
    if (answer === '') throw badUsage(`the variable ${name} is missing`)
    env[name] = answer
    process.env[name] = answer
  }
}

async function writeSetup(url: string | undefined, settings: MirrorSettings, terminal: Terminal): Promise<void> {
  const { company, setup: file } = settings
  if (url === undefined) throw badUsage(`missing required argument 'url': there is no file ${file}`)
  if (company === undefined) throw badUsage("option '--company': the company of the ERP system is missing")
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw badUsage(`argument 'url': ${url} is no address`)
  const source = { url: url.replace(/\/+$/, ''), clientIdEnv: CLIENT, secretEnv: SECRET }
  const parts = { ...sourceParts(terminal), rules: sourceRules(source, company) }
  try {
    const token = terminal.env[TOKEN_URL] || (await findTokenUrl(parts))
    const found = { ...source, ...(token === undefined ? {} : { tokenUrl: token }) }
    terminal.stderr.write(`asking ${url} what it shows of company ${company}\n`)
    const discovered = await discover(new ErpSource({ ...parts, rules: sourceRules(found, company) }), undefined)
    for (const text of discovered.left) terminal.stderr.write(`left out: ${shown(text)}\n`)
    if (discovered.mirrored.length === 0) throw new Error(`${url} shows no records of company ${company}`)
    const { password, secret, passwordHash, secretHash } = await firstSecrets()
    const readers = { person: PERSON, passwordHash, client: PROGRAMS, secretHash }
    writeFileSync(file, mirrorSetup(discovered, found, readers), { flag: 'wx', mode: 0o600 })
    terminal.stdout.write(`${file} is written, with ${formatCountOf(discovered.mirrored.length, 'document')}.

  password of ${PERSON}: ${password}
  secret of ${PROGRAMS}: ${secret}

Both are shown this once: the file has their hashes.
`)
  } catch (error) {
    if (error instanceof SourceFailure) throw new Error(`the ERP system: ${error.message}`, { cause: error })
    throw error
  }
}

function sourceParts({ env }: Terminal): Omit<SourceParts, 'rules'> {
  const sleep = async (ms: number, signal?: AbortSignal) => {
    await delay(ms, undefined, signal ? { signal } : {})
  }
  return { environment: env, now: Date.now, sleep }
}

const LOOK_MS = 1_000

/** Tells how far each document is, until all are complete. */
async function showLoading(store: Store, companyId: string, { stderr }: Terminal): Promise<void> {
  const told = new Map<string, string>()
  for (;;) {
    const states = await documentStates(store.reading(companyId)).catch(() => undefined)
    if (!states) return
    const documents = [...states].filter(([name]) => name !== LEASE_ROW)
    for (const [name, { phase, rows, sourceRows, problem }] of documents) {
      const of = sourceRows > 0 && phase === 'loading' ? ` of ${formatCount(sourceRows)}` : ''
      const ended = phase === 'following' ? ', complete' : ''
      const line = `${name}: ${formatCount(rows)}${of}${ended}${problem === '' ? '' : ` (${shown(problem)})`}`
      if (told.get(name) !== line) stderr.write(`${line}\n`)
      told.set(name, line)
    }
    if (documents.length > 0 && documents.every(([, { phase }]) => phase !== 'loading')) return
    await delay(LOOK_MS, undefined, { ref: false })
  }
}

/** Prints each difference; ends with 1 when there are some. */
export async function verifyMirror(settings: MirrorSettings, terminal: Terminal): Promise<void> {
  await askCredentials(terminal)
  await using records = await recordsAt(settings, terminal)
  const { store, companies, own } = records.service
  const mirrored = companies.all.filter(({ hasSource }) => hasSource)
  if (mirrored.length === 0) throw new Error('no company here is a mirror')
  let differences = 0
  for (const { id } of mirrored) {
    const company = companies.require(id)
    if (!company.source) continue
    const source = new ErpSource({ ...sourceParts(terminal), rules: company.source })
    const states = await documentStates(store.reading(id))
    for (const [name, document] of mirroredDocuments(company, company.source, own)) {
      const state = states.get(name) ?? NEW_DOCUMENT
      if (state.phase !== 'following') {
        terminal.stdout.write(
          `${name}: ${state.phase === 'absent' ? shown(state.problem) : 'it is not complete yet'}\n`,
        )
        differences += 1
        continue
      }
      const tell = ({ key, what }: { readonly key: readonly string[]; readonly what: string }) =>
        terminal.stdout.write(`${name} ${key.map(shown).join(' ')}: ${what}\n`)
      const verified = await verifyDocument(store.reading(id), source, document, state, tell)
      differences += verified.differences
      const compared = formatCountOf(verified.compared, 'record')
      terminal.stdout.write(`${name}: ${compared} compared, ${formatCountOf(verified.differences, 'difference')}\n`)
      if (name !== ARCHIVE) continue
      const contents = await verifyContents(store.reading(id), source, tell)
      differences += contents.differences
      const some = formatCountOf(contents.compared, 'content')
      const awaited = contents.awaited === 0 ? '' : `, ${formatCount(contents.awaited)} not here yet`
      terminal.stdout.write(
        `${name}: ${some} compared, ${formatCountOf(contents.differences, 'difference')}${awaited}\n`,
      )
    }
  }
  if (differences > 0) terminal.exitCode = 1
}

/** Nobody could fetch the contents of documents afterwards. Those that do not come are told already. */
async function requireContents(
  companies: readonly string[],
  settings: MirrorSettings,
  terminal: Terminal,
): Promise<void> {
  await using records = await recordsAt(settings, terminal)
  for (const id of companies) {
    const tx = records.service.store.reading(id)
    const told = new Set((await listFindings(tx, ARCHIVE)).map(({ key: [document] }) => document))
    const without = await listDocumentsWithoutFile(tx, '', told.size + 1)
    const missing = without.find((document) => !told.has(document))
    if (missing === undefined) continue
    throw new Error(
      `company ${id} has documents whose files are still at the source, such as ${missing}: take 'contents: lazy' out of ${settings.setup} and serve it until they are here`,
    )
  }
}

/** The setup file loses its sources, and is applied. */
export async function detachMirror(settings: MirrorSettings, terminal: Terminal): Promise<void> {
  const { setup: file } = settings
  requireFile("option '--setup'", file)
  const { text, companies } = withoutSources(readText(file))
  if (companies.length === 0) throw badUsage(`option '--setup': no company of ${file} is a mirror`)
  await requireContents(companies, settings, terminal)
  const detached = `${file}.detached`
  writeFileSync(detached, text, { mode: 0o600 })
  await runSetup(detached, settings, terminal)
  renameSync(detached, file)
  await using records = await recordsAt(settings, terminal)
  for (const id of companies) {
    await records.service.store.writeState(id, MIRROR_LEASES.member, async (tx) => forgetMirror(tx))
    terminal.stdout.write(`company ${id} is no mirror any more: its roles in ${file} say who may write\n`)
  }
}
