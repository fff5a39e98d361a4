import { afterEach, expect, it, vi } from 'vitest'
import { AddressLimits } from '../access/address-limits.ts'
import type { UserDefinition } from '../access/caller.ts'
import { ClientSecrets } from '../access/client-secrets.ts'
import { Denial } from '../access/denial.ts'
import { Directory } from '../access/directory.ts'
import { personClientId } from '../access/issuer-users.ts'
import { SecretChecks } from '../access/secret-checks.ts'
import { costsOf, decoyHash } from '../access/secrets.ts'
import { peopleOf } from './sessions.ts'

const CHEAP = '1024$8$1'
const DEAR = '4096$8$2'
const person = (id: string, costs?: string): UserDefinition => ({
  id,
  defaultCompany: 'EN',
  ...(costs === undefined ? {} : { passwordHash: decoyHash(costs) }),
})

/** The costs of all hashes that a sign-in as the user goes through. */
async function costsOfSignIn(users: readonly UserDefinition[], user: string): Promise<string[]> {
  const directory = new Directory()
  directory.replace({ roles: [], users, clients: [], basicAllowed: true, issuers: [] })
  const check = vi.spyOn(SecretChecks.prototype, 'check').mockResolvedValue({ matched: undefined })
  check.mockClear()
  const passwords = new ClientSecrets({
    directory: peopleOf(directory),
    shared: { add: async ({ amounts }) => amounts, forget: async () => {} },
    addressLimits: new AddressLimits(() => performance.now()),
    clock: () => new Date(),
    observe: () => {},
  })
  expect(await passwords.verify(personClientId(user), 'wrong password', '192.0.2.1')).toBeInstanceOf(Denial)
  await passwords.close()
  return check.mock.calls.flatMap(([, { hashes }]) => hashes.map(costsOf)).sort()
}

afterEach(() => vi.restoreAllMocks())

it('checks an unknown user at the costs that the passwords have', async () => {
  const users = [person('ada', DEAR), person('bo', DEAR), person('svc')]
  for (const user of ['ada', 'bo', 'svc', 'nobody']) expect(await costsOfSignIn(users, user)).toEqual([DEAR])
})

it('checks everybody alike where passwords have different costs', async () => {
  const users = [person('ada', CHEAP), person('bo', DEAR), { ...person('cleo', DEAR), disabled: true }]
  for (const user of ['ada', 'bo', 'cleo', 'nobody']) expect(await costsOfSignIn(users, user)).toEqual([CHEAP, DEAR])
})

it('checks unknown users where nobody has a password', async () => {
  expect(await costsOfSignIn([person('svc')], 'nobody')).toEqual(['16384$8$1'])
})
