import fc from 'fast-check'
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
  const person = { id: 'anna.lie', company: 'EN', roles: ['reader'] }
  const { text, isNew } = withPerson(FILE, { ...person, passwordHash: 'scrypt$1' })
  expect(isNew).toBe(true)
  expect(text).toBe(`${FILE}  - id: anna.lie
    defaultCompany: EN
    roles:
      EN:
        - reader
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

/** Codes that YAML reads as numbers, and comments, in the ways in which people write them. */
const CODES = ['0100', '007', '0x1F', '1e3', '1_000', '.5', '+1', '010.0', "'12'", 'A1']

it('changes no other byte of any file, whatever codes and styles it has', () => {
  const users = [
    'users:\n  # Who answers.\n  - { id: bo, defaultCompany: EN, roles: { EN: [a, b] } } # bo',
    'users:\n- id: bo\n  defaultCompany: EN # home\n  roles: {EN: [ a ]}',
    'users:\n    - id: bo\n      name: |\n        Bo\n        Lie\n',
    'users: [{id: bo, defaultCompany: EN}]',
    'users: []',
    'users:',
    '',
  ]
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom(...CODES)),
      fc.constantFrom(...users),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom('anna', 'bo'),
      fc.constantFrom('\n', '\r\n'),
      (codes, list, isFirst, isEnded, id, newline) => {
        const values = codes.map((code) => `${code}: ${code}`).join(', ')
        const companies = `companies:\n  - id: EN # the first\n    attributeValues: { C1: {${values}}, C2: [ a,b ] }`
        const parts = isFirst ? [list, companies] : [companies, list]
        const lines = ['# Ours.', 'version: 1', ...parts.filter((part) => part !== ''), '# The end.']
        const file = lines.join('\n').replaceAll('\n', newline) + (isEnded ? newline : '')
        const { text } = withPerson(file, { id, company: 'EN', passwordHash: 'scrypt$1' })
        // What was put in is one piece.
        let same = 0
        while (same < file.length && file[same] === text[same]) same++
        expect(text.endsWith(file.slice(same))).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
})

it('refuses a file in which more than the person would change', () => {
  const file = `companies: [{ id: EN }]\nusers: &all\n  - { id: bo, defaultCompany: EN }\nothers: *all\n`
  expect(() => withPerson(file, { id: 'anna', company: 'EN', passwordHash: 'x' })).toThrow('add the person by hand')
})
