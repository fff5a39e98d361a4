// A person who is added to a setup file, or who gets another password there. All else in the file stays as it is, its
// comments and order too; only the spaces within brackets may become others.
import { isMap, isScalar, isSeq, parseDocument, type YAMLMap, YAMLSeq } from 'yaml'

export interface PersonToAdd {
  readonly id: string
  readonly passwordHash: string
  readonly name?: string | undefined
  /** The default company. */
  readonly company?: string | undefined
  /** In that company. */
  readonly roles?: readonly string[] | undefined
  readonly administrator?: boolean | undefined
}

export interface ChangedSetup {
  readonly text: string
  readonly isNew: boolean
}

/** Throws with what is wrong: with the file, or with a company or role that it does not have. */
export function withPerson(text: string, person: PersonToAdd): ChangedSetup {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error) throw new Error(error.message.split('\n')[0])
  if (!isMap(document.contents)) throw new Error('the file is no setup: expected members such as users')
  const root = document.contents as YAMLMap
  requireKnown('company', person.company, idsIn(root, 'companies'))
  for (const role of person.roles ?? []) requireKnown('role', role, idsIn(root, 'roles'))
  const users = usersOf(root)
  const found = users.items.find((user): user is YAMLMap => isMap(user) && user.get('id') === person.id)
  if (!found && person.company === undefined) {
    throw new Error(`${person.id} is new: give the company with --company (${idsIn(root, 'companies').join(', ')})`)
  }
  const user = found ?? (document.createNode({ id: person.id }) as YAMLMap)
  if (!found) users.add(user)
  const roles = person.company !== undefined && person.roles ? { [person.company]: [...person.roles] } : undefined
  const members = {
    name: person.name,
    defaultCompany: person.company,
    roles,
    administrator: person.administrator,
    passwordHash: person.passwordHash,
  }
  for (const [member, value] of Object.entries(members)) {
    if (value !== undefined) user.set(member, document.createNode(value))
  }
  return { text: document.toString({ lineWidth: 0 }), isNew: !found }
}

function usersOf(root: YAMLMap): YAMLSeq {
  const users = root.get('users')
  if (isSeq(users)) return users
  if (users !== undefined && users !== null) throw new Error('users is no list')
  const made = new YAMLSeq()
  root.set('users', made)
  return made
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
