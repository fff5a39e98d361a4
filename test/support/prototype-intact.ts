// After every test file: nothing that it has sent has found its way into what all objects share.
import { afterAll, expect } from 'vitest'

const SHARED = [Object.prototype, Array.prototype, Function.prototype]
const before = SHARED.map((prototype) => Reflect.ownKeys(prototype).map(String))

afterAll(() => {
  expect(SHARED.map((prototype) => Reflect.ownKeys(prototype).map(String))).toEqual(before)
})
