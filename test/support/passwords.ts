// The password of all people of the tests, and its hash, which costs little to check.
import { scryptSync } from 'node:crypto'

export const PASSWORD = 'correct horse battery'

const salt = Buffer.from('salt of the tests')
const key = scryptSync(PASSWORD, salt, 32, { N: 1_024, r: 8, p: 1 })
export const PASSWORD_HASH = `scrypt$1024$8$1$${salt.toString('base64')}$${key.toString('base64')}`
