// How much a company may keep, as its setup says it.
import { defined } from '../../base/defined.ts'
import type { CompanySetup } from '../file/setup-schema.ts'

export interface Quotas {
  readonly fileBytes?: number
  readonly journalBytes?: number
}

const UNITS = { kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }

export function quotasOf({ fileBytes, journalBytes }: NonNullable<CompanySetup['quotas']> = {}): Quotas {
  return defined({ fileBytes: bytesOf(fileBytes), journalBytes: bytesOf(journalBytes) })
}

function bytesOf(size: number | string | undefined): number | undefined {
  if (typeof size !== 'string') return size
  return Number.parseInt(size, 10) * UNITS[size.slice(-2) as keyof typeof UNITS]
}
