// Checks after every test file that no request has polluted the prototypes that all objects share.
import { afterAll, expect } from 'vitest'

const SHARED = [Object.prototype, Array.prototype, Function.prototype]
const before = SHARED.map((prototype) => Reflect.ownKeys(prototype).map(String))

afterAll(() => {
  expect(SHARED.map((prototype) => Reflect.ownKeys(prototype).map(String))).toEqual(before)
})
