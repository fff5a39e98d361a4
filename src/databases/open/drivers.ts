// The databases that this program works with.
import type { Driver, Location } from '../driver.ts'
import { postgresDriver } from '../postgres/driver.ts'
import { sqliteDriver } from '../sqlite/driver.ts'

export const DRIVERS: readonly Driver[] = [sqliteDriver, postgresDriver]

/** The driver of the database in a data folder. */
export const EMBEDDED = sqliteDriver

export function driverAt({ database }: Location): Driver {
  const driver = DRIVERS.find((one) => one.serves(database))
  if (!driver) throw new Error(`--database: there is no driver for ${database?.split(':')[0]}`)
  return driver
}

/** The driver with the name that a backup has. */
export function driverNamed(name: string): Driver {
  const driver = DRIVERS.find((one) => one.name === name)
  if (!driver) throw new Error(`there is no driver ${name}`)
  return driver
}
