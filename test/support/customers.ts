// Customers for the tests: a body that the rules accept in company EN of the fixture, and ways to change it.
import { recordsOf } from './resources/records.ts'
import { onEachStoreWith, CUSTOMERS as RESOURCE } from './resources/resource.ts'
import type { World } from './world.ts'

export { GENERAL, replace } from './resources/records.ts'

export const CUSTOMERS = RESOURCE.collections.usual

/** Runs the tests with the fixture that has customers. */
export function onEachStoreWithCustomers(title: string, declare: (world: () => World) => void): void {
  onEachStoreWith(RESOURCE, title, declare)
}

export const { bodyOf, urlOf, create } = recordsOf(RESOURCE)
