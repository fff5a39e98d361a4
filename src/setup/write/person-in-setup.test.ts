import { expect, it } from 'vitest'
import { withPerson } from './person-in-setup.ts'

const FILE = `# Ours.
version: 1
companies:
  - id: EN # the first
    name: Example Nordic AS
roles:
  - { id: reader, apis: { customers: [ read ] } }
users:
  # Who answers the telephone.
  - { id: bo, defaultCompany: EN, roles: { EN: [ reader ] } }
`

it('adds a person and leaves all else as it is', () => {
  const person = { id: 'anna.lie', name: 'Anna Lie', company: 'EN', roles: ['reader'], administrator: true }
  const { text, isNew } = withPerson(FILE, { ...person, passwordHash: 'scrypt$1' })
  expect(isNew).toBe(true)
  expect(text).toBe(`${FILE}  - id: anna.lie
    name: Anna Lie
    defaultCompany: EN
    roles:
      EN:
        - reader
    administrator: true
    passwordHash: scrypt$1
`)
})

it('gives a person who is there another password, and changes nothing else', () => {
  const { text, isNew } = withPerson(FILE, { id: 'bo', passwordHash: 'scrypt$2' })
  expect(isNew).toBe(false)
  expect(text).toBe(FILE.replace('roles: { EN: [ reader ] } }', 'roles: { EN: [ reader ] }, passwordHash: scrypt$2 }'))
})

it('begins the list where there is none', () => {
  const file = FILE.slice(0, FILE.indexOf('users:'))
  expect(withPerson(file, { id: 'anna', company: 'EN', passwordHash: 'x' }).text).toBe(
    `${file}users:\n  - id: anna\n    defaultCompany: EN\n    passwordHash: x\n`,
  )
})

it.each([
  [{ id: 'anna' }, 'anna is new: give the company with --company (EN)'],
  [{ id: 'anna', company: 'XX' }, 'the file has no company XX; it has EN'],
  [{ id: 'anna', company: 'EN', roles: ['chief'] }, 'the file has no role chief; it has reader'],
])('refuses %j', (person, message) => {
  expect(() => withPerson(FILE, { ...person, passwordHash: 'x' })).toThrow(message)
})

it.each([
  ['- 1', 'the file is no setup'],
  ['users: { a: 1 }', 'users is no list'],
  ['users: [', 'Flow sequence'],
])('refuses the file %j', (file, message) => {
  expect(() => withPerson(file, { id: 'a', passwordHash: 'x' })).toThrow(message)
})
