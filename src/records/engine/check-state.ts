// What the state of a record allows: how it may change and by whom, what is filled by then, and what is locked.
import { isDeepStrictEqual } from 'node:util'
import { anyOf } from '../../base/text.ts'
import { conflict, notAuthorised } from '../../errors/catalogue.ts'
import type { Findings } from '../../errors/findings.ts'
import type { Problem } from '../../errors/problem.ts'
import { titleOfNamed } from '../../model/titles.ts'
import { isEmptyValue } from '../../setup/rules/declared-field-rules.ts'
import type { StateMachine, StateRules } from '../../setup/rules/record-rules.ts'
import type { ReadTx } from '../../store/store.ts'
import type { RecordKey } from '../shared/record-type.ts'
import { required } from '../shared/required-field.ts'
import { fieldAt, type References } from './check-others.ts'
import { type DraftChange, type RecordDraft, type RecordKind, valueAt } from './record-kind.ts'
import { findLines, hasRecordInState } from './record-store.ts'

type Path = readonly string[]

type Transition = StateMachine['transitions'][number]

/** A new record has the first state; one that a company brings from another system may have any. */
export function checkNewState(
  kind: RecordKind,
  { given, draft }: Pick<DraftChange, 'given' | 'draft'>,
  findings: Findings,
): void {
  const { state } = kind
  if (!state?.machine) return
  const { path, machine } = state
  const name = String(valueAt(draft, path))
  if (!machine.states.has(name)) {
    addIllegal(state, findings)
    return
  }
  if (name !== machine.initial && !kind.keepsIds) {
    findings.add(path, 3010, `A new record has the ${path.at(-1)} ${machine.initial}.`)
    return
  }
  for (const one of machine.requires.get(name) ?? []) {
    const isLines = kind.lines.some((lines) => lines.name === one[0])
    if (!isFilled(kind, one, isLines ? (given as RecordDraft) : draft)) addMissing(one, findings)
  }
}

/**
 * Adds what a changed record lacks for its state. Throws 403 for a transition that is not the caller's; returns the
 * refusal of what its state does not allow, which is told when nothing else is wrong.
 */
export async function checkState(
  tx: ReadTx,
  { kind, company, caller }: References,
  { draft, stored = {} }: Pick<DraftChange, 'draft' | 'stored'>,
  key: RecordKey,
  findings: Findings,
): Promise<Problem | undefined> {
  const { state } = kind
  if (!state?.machine) return undefined
  const { path, machine } = state
  const titled = { titleOf: (name: string, language: string) => titleOfNamed(name, language, kind.record.document) }
  const [before, after] = [stored, draft].map((record) => String(valueAt(record, path))) as [string, string]
  if (after !== before) {
    if (!machine.states.has(after)) {
      addIllegal(state, findings)
      return undefined
    }
    const transition = machine.transitions.find(({ from, to }) => from === before && to === after)
    if (!transition) return conflict(impossible(state, machine, before, after), titled)
    const isOwn = ({ roles }: Transition) => roles === undefined || caller.hasRole(company.id, roles)
    if (!isOwn(transition)) {
      const reason = `no role of the caller takes ${kind.name} from ${before} to ${after}`
      // Nothing is told of the transitions of others.
      const own = machine.transitions.filter((one) => one.from === before && isOwn(one)).map(({ to }) => to)
      throw notAuthorised(reason, notOwn(path.join('/'), before, after, own), titled)
    }
  }
  for (const one of machine.requires.get(after) ?? []) {
    const isNew = after !== before || !isDeepStrictEqual(valueAt(stored, one), valueAt(draft, one))
    if (isNew && !(await isThere(tx, kind, one, { draft, stored }, key))) addMissing(one, findings)
  }
  const locked = (machine.locks.get(before) ?? []).filter(
    (one) => !isDeepStrictEqual(valueAt(stored, one), valueAt(draft, one)),
  )
  if (locked.length === 0) return undefined
  const names = locked.map((one) => one.join('/')).join(', ')
  const refusal = `${names} cannot change while ${path.join('/')} is ${before}: ${possibleFrom(machine, before)}.`
  return conflict(refusal, titled)
}

/** Refuses a line of a record whose state locks its lines. */
export async function requireUnlockedOwner(
  tx: ReadTx,
  { kind, company, documents }: Pick<References, 'kind' | 'company' | 'documents'>,
  { stored, texts }: RecordKey,
): Promise<void> {
  const { owner } = kind
  const definition = owner?.lock && documents.definitionOf(owner.lock.document, company)
  if (!owner?.lock || !definition) return
  const { keyColumns, lock } = owner
  const columns = [...keyColumns, lock.column]
  for (const state of lock.states) {
    if (!(await hasRecordInState(tx, definition, columns, [...stored.slice(0, keyColumns.length), state]))) continue
    const record = `${lock.document} ${texts.slice(0, keyColumns.length).join(' ')}`
    throw conflict(`${lock.name} of ${record} cannot change while it is ${state}.`)
  }
}

function impossible({ path, closed }: StateRules, machine: StateMachine, before: string, after: string): string {
  const hint = after === closed ? '; DELETE closes a record' : ''
  return `${path.join('/')} cannot go from ${before} to ${after}: ${possibleFrom(machine, before)}${hint}.`
}

function notOwn(name: string, before: string, after: string, own: readonly string[]): string {
  if (own.length > 0) return `Your roles take ${name} from ${before} to ${anyOf(own)} alone, not to ${after}.`
  return `Your roles do not take ${name} from ${before} to ${after}, nor to another state.`
}

function possibleFrom({ transitions }: StateMachine, state: string): string {
  const next = transitions.filter(({ from }) => from === state).map(({ to }) => to)
  return next.length === 0 ? `nothing follows ${state}` : `from ${state} it can go to ${anyOf(next)}`
}

function addIllegal({ path }: StateRules, findings: Findings): void {
  if (!findings.has(path)) findings.add(path, 3010, 'Illegal value.')
}

function addMissing(path: Path, findings: Findings): void {
  if (!findings.has(path)) findings.add(path, 1010, required(path.at(-1) ?? ''))
}

/** Lines that the caller does not see are there too. */
async function isThere(
  tx: ReadTx,
  kind: RecordKind,
  path: Path,
  { draft, stored }: { readonly draft: RecordDraft; readonly stored: RecordDraft },
  key: RecordKey,
): Promise<boolean> {
  if (isFilled(kind, path, draft)) return true
  const lines = kind.lines.find(({ name }) => name === path[0])
  if (!lines || isFilled(kind, path, stored)) return false
  return (await findLines(tx, lines.rules, key, undefined)).length > 0
}

function isFilled({ checks }: RecordKind, path: Path, record: RecordDraft): boolean {
  const value = valueAt(record, path)
  if (value === undefined) return false
  if (Array.isArray(value)) return value.length > 0
  const field = fieldAt(checks, path)
  return !field || !isEmptyValue(field.type, value)
}
