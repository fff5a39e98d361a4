// Sums and averages in the arithmetic of BigInt, for comparison with those of databases.
import { LongNumber } from '../../src/base/long-number.ts'
import type { Value } from './query-evaluator.ts'

/** An exact number: `units` divided by ten to the power of `places`. */
interface Decimal {
  readonly units: bigint
  readonly places: number
}

export function sumOf(values: readonly Value[]): Decimal {
  const all = values.map(decimalOf)
  const places = Math.max(0, ...all.map((one) => one.places))
  const units = all.reduce((sum, one) => sum + one.units * 10n ** BigInt(places - one.places), 0n)
  return { units, places }
}

/** Half to even at six places behind `scale`, or else behind those that the sum needs. */
export function averageOf(values: readonly Value[], scale: number | undefined): Decimal {
  const count = BigInt(values.length)
  if (count === 0n) return { units: 0n, places: 0 }
  const sum = sumOf(values)
  const needed = textOf(sum).split('.')[1]?.length ?? 0
  const places = (scale ?? needed) + 6
  const scaled = sum.units * 10n ** BigInt(Math.max(0, places - sum.places))
  const exact = sum.places > places ? scaled / 10n ** BigInt(sum.places - places) : scaled
  const floor = exact / count - (exact % count < 0n ? 1n : 0n)
  const twice = (exact - floor * count) * 2n
  const isUp = twice > count || (twice === count && floor % 2n !== 0n)
  return { units: isUp ? floor + 1n : floor, places }
}

export function textOf({ units, places }: Decimal): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  const point = digits.length - places
  const fraction = digits.slice(point).replace(/0+$/, '')
  return (units < 0n ? '-' : '') + digits.slice(0, point) + (fraction === '' ? '' : `.${fraction}`)
}

export function decimalOf(value: Value): Decimal {
  const text = value instanceof LongNumber ? value.text : String(value)
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)\.?(\d*)(?:e([+-]?\d+))?$/.exec(text) ?? []
  const places = fraction.length - Number(exponent)
  const units = BigInt(`${sign}${whole}${fraction}`)
  return places >= 0 ? { units, places } : { units: units * 10n ** BigInt(-places), places: 0 }
}
