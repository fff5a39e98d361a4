// A person who is added to a setup file, or who gets another password there. Text is put in at its place, and every
// other byte of the file stays: codes such as 0100 would not be the same when they were written anew.

import { isDeepStrictEqual } from 'node:util'
import { isMap, isScalar, isSeq, parseDocument, stringify, type YAMLMap, type YAMLSeq } from 'yaml'
import { defined } from '../../base/defined.ts'

export interface PersonToAdd {
  readonly id: string
  readonly passwordHash: string
  /** The default company. */
  readonly company?: string | undefined
  /** In that company. */
  readonly roles?: readonly string[] | undefined
}

export interface ChangedSetup {
  readonly text: string
  readonly isNew: boolean
}

/** Throws with what is wrong: with the file, or with a company or role that it does not have. */
export function withPerson(text: string, person: PersonToAdd): ChangedSetup {
  const { root } = read(text)
  requireKnown('company', person.company, idsIn(root, 'companies'))
  for (const role of person.roles ?? []) requireKnown('role', role, idsIn(root, 'roles'))
  const users = root.get('users')
  if (users !== undefined && users !== null && !isSeq(users)) throw new Error('users is no list')
  const found = isSeq(users) ? users.items.find((user) => isMap(user) && user.get('id') === person.id) : undefined
  if (!found && person.company === undefined) {
    throw new Error(`${person.id} is new: give the company with --company (${idsIn(root, 'companies').join(', ')})`)
  }
  const members = membersOf(person)
  const file = { text, newline: text.includes('\r\n') ? '\r\n' : '\n' }
  const changed = found
    ? withMembers(file, found as YAMLMap, members)
    : withUser(file, root, { id: person.id, ...members })
  requireOnlyUser(text, changed, person.id, members)
  return { text: changed, isNew: !found }
}

type Members = Readonly<Record<string, unknown>>

interface File {
  readonly text: string
  readonly newline: string
}

function read(text: string, options: Parameters<typeof parseDocument>[1] = {}) {
  const document = parseDocument(text, options)
  const [error] = document.errors
  if (error) throw new Error(error.message.split('\n')[0])
  if (!isMap(document.contents)) throw new Error('the file is no setup: expected members such as users')
  return { document, root: document.contents as YAMLMap }
}

function membersOf({ company, roles, passwordHash }: PersonToAdd): Members {
  const inCompany = company !== undefined && roles ? { [company]: [...roles] } : undefined
  return defined({ defaultCompany: company, roles: inCompany, passwordHash })
}

/** The members one by one: each is in the place of the one before, or behind all others. */
function withMembers(file: File, user: YAMLMap, members: Members): string {
  const last = user.items.at(-1)
  const changes = Object.entries(members).map(([name, value]): Change => {
    const found = user.items.find(({ key }) => isScalar(key) && key.value === name)
    if (found) return { at: rangeOf(found.value), text: flow(value) }
    const [, end] = rangeOf(last?.value)
    return { at: [end, end], text: added(file, user, `${name}: ${flow(value)}`, end) }
  })
  return changes
    .toReversed()
    .toSorted((one, other) => other.at[0] - one.at[0])
    .reduce(applied, file.text)
}

function added({ text, newline }: File, user: YAMLMap, member: string, end: number): string {
  if (user.flow) return `, ${member}`
  const indent = ' '.repeat(columnOf(text, rangeOf(user)[0]))
  // A text of several lines ends with the line.
  return text[end - 1] === '\n' ? `${indent}${member}${newline}` : `${newline}${indent}${member}`
}

interface Change {
  readonly at: readonly [from: number, to: number]
  readonly text: string
}

function applied(text: string, { at: [from, to], text: put }: Change): string {
  return text.slice(0, from) + put + text.slice(to)
}

function withUser(file: File, root: YAMLMap, user: Members): string {
  const { text } = file
  const pair = root.items.find(({ key }) => isScalar(key) && key.value === 'users')
  const users = pair?.value
  if (root.flow || (isSeq(users) && users.flow)) return withFlowUser(file, root, users as YAMLSeq | undefined, user)
  if (isSeq(users)) {
    const [start] = rangeOf(users)
    return applied(text, behind(file, rangeOf(users.items.at(-1))[1], listed(file, user, columnOf(text, start))))
  }
  const item = listed(file, user, 2)
  // The key is there, and nothing behind it but perhaps `null` or `~`.
  if (pair) {
    const [from, to] = rangeOf(users)
    return applied(applied(text, behind(file, to, item)), { at: [from, to], text: '' })
  }
  return applied(text, behind(file, text.length, `users:${file.newline}${item}`))
}

function withFlowUser({ text }: File, root: YAMLMap, users: YAMLSeq | undefined, user: Members): string {
  const list = users ?? root
  const put = users ? flow(user) : `users: [${flow(user)}]`
  const last = list.items.at(-1)
  if (last === undefined) return applied(text, { at: [rangeOf(list)[0] + 1, rangeOf(list)[0] + 1], text: put })
  const end = rangeOf(users ? last : (last as YAMLMap['items'][number]).value)[1]
  return applied(text, { at: [end, end], text: `, ${put}` })
}

/** Lines behind the line with the end of a node. */
function behind({ text, newline }: File, end: number, lines: string): Change {
  const isAtLine = end === 0 || text[end - 1] === '\n'
  const next = isAtLine ? end : text.indexOf('\n', end) + 1
  if (next > 0 || isAtLine) return { at: [next, next], text: lines }
  return { at: [text.length, text.length], text: newline + lines }
}

/** A person as an item of a list of lines. */
function listed({ newline }: File, user: Members, indent: number): string {
  const lines = stringify([user], { lineWidth: 0 }).trimEnd().split('\n')
  return lines.map((line) => `${' '.repeat(indent)}${line}${newline}`).join('')
}

function flow(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd()
}

function rangeOf(node: unknown): readonly [from: number, to: number] {
  const range = (node as { range?: [number, number, number] | null } | null)?.range
  if (!range) throw UNCHANGED
  return [range[0], range[1]]
}

function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1)
}

const UNCHANGED = new Error('the file is written in a way that this command cannot change: add the person by hand')

/** Reads both files, with every value as it is written. Throws if more differs than the members of the user. */
function requireOnlyUser(before: string, after: string, id: string, members: Members): void {
  const [old, changed] = [before, after].map((text) => read(text, WRITTEN).document.toJS()) as [Setup, Setup]
  const users = [...(Array.isArray(old.users) ? old.users : [])]
  const at = users.findIndex((user) => user.id === id)
  const written = parseDocument(stringify({ id, ...members }), WRITTEN).toJS()
  if (at === -1) users.push(written)
  else users[at] = { ...users[at], ...written }
  if (!isDeepStrictEqual(changed, { ...old, users })) throw UNCHANGED
}

/** Each value is a text. */
const WRITTEN = { schema: 'failsafe' } as const

interface Setup {
  readonly users?: readonly Members[]
}

function idsIn(root: YAMLMap, section: string): string[] {
  const items = root.get(section)
  if (!isSeq(items)) return []
  return items.items.flatMap((item) => {
    const id = isMap(item) ? item.get('id', true) : undefined
    return isScalar(id) ? [String(id.value)] : []
  })
}

function requireKnown(kind: string, id: string | undefined, known: readonly string[]): void {
  if (id === undefined || known.includes(id)) return
  throw new Error(`the file has no ${kind} ${id}; it has ${known.join(', ') || 'none'}`)
}
