// Invents exchange rates: closing rates at the ends of months, and a budget rate for each year. Bodies of POST
// /v1/exchange-rates.
import { randomOf } from './read.mjs'

const FIRST = [2024, 1]
const LAST = [2026, 10]
const BUDGET_YEARS = [2024, 2025, 2026, 2027]
/** What one unit of each currency costs in kroner of Norway around which its rates move; the euro leads the others. */
const AROUND = {
  EUR: 11.65,
  SEK: 1.045,
  DKK: 1.561,
  ISK: 0.0789,
  GBP: 13.62,
  CHF: 12.34,
  PLN: 2.731,
  CZK: 0.4697,
  USD: 9.98,
  CAD: 7.27,
  JPY: 0.06842,
}
/** How far a rate moves in a month, in percent of itself. */
const MOVES = { EUR: 1.2, DKK: 0.05, SEK: 1, ISK: 1.1, GBP: 1.1, CHF: 1, PLN: 1, CZK: 1, USD: 2.2, CAD: 2, JPY: 2.4 }
/** Currencies of the Swedish company: its value list has no others. */
const OF_SWEDEN = ['NOK', 'DKK', 'EUR', 'USD']

export function inventExchangeRates() {
  const random = randomOf(7300)
  const months = monthEnds().map((validFrom) => ({ validFrom, rateType: 'C' }))
  const years = BUDGET_YEARS.map((year) => ({ validFrom: `${year}-01-01`, rateType: 'B' }))
  const ofNorway = walk(random, [...months, ...years])
  return [
    ...ofNorway.flatMap(({ day, kroner }) => Object.keys(AROUND).map((code) => rateOf('EN', code, day, kroner[code]))),
    ...ofNorway.flatMap(({ day, kroner }) =>
      OF_SWEDEN.map((code) => rateOf('SV', code, day, (kroner[code] ?? 1) / kroner.SEK)),
    ),
  ]
}

/** The rates of each day. They move at random, and back: a currency neither falls nor rises for ever. */
function walk(random, days) {
  const away = Object.fromEntries(Object.keys(AROUND).map((code) => [code, 0]))
  const draw = (code) => (MOVES[code] * (random.whole(-1000, 1000) + random.whole(-1000, 1000))) / 1000
  return days.map((day) => {
    for (const code of Object.keys(away)) away[code] = 0.85 * away[code] + draw(code)
    const kroner = Object.entries(AROUND).map(([code, around]) => {
      const percent = code === 'EUR' ? away.EUR : away.EUR + away[code]
      return [code, around * (1 + percent / 100)]
    })
    return { day, kroner: Object.fromEntries(kroner) }
  })
}

/** Closing rates have up to six decimals; who plans a year takes round ones. */
function rateOf(companyId, currencyCode, { rateType, validFrom }, rate) {
  const digits = rateType === 'B' ? (rate < 0.1 ? 3 : rate < 1 ? 2 : 1) : rate < 1 ? 6 : 4
  return { companyId, currencyCode, rateType, validFrom, rate: Number(rate.toFixed(digits)) }
}

/** The last days of the months, as yyyy-mm-dd. */
function monthEnds() {
  const count = (LAST[0] - FIRST[0]) * 12 + LAST[1] - FIRST[1] + 1
  return Array.from({ length: count }, (_, i) =>
    new Date(Date.UTC(FIRST[0], FIRST[1] + i, 0)).toISOString().slice(0, 10),
  )
}
