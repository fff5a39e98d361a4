// What an invoice comes to. All amounts are whole hundredths (øre, cents), so nothing is lost on the way.
import { luhn } from '../../source/numbers.mjs'

/** A line's amount: quantity times price less its discount, rounded to a hundredth. */
export function lineAmount({ quantity, price, discount = 0 }) {
  return Math.round((quantity * price * 100 * (100 - discount)) / 100)
}

/** Net, tax by rate, and what is to be paid. `advance` has been paid already. */
export function totalsOf({ lines, advance = 0 }) {
  const rates = [...new Set(lines.map((line) => line.vat))].sort((a, b) => b - a)
  const taxes = rates.map((rate) => {
    const basis = sum(lines.filter((line) => line.vat === rate).map(lineAmount))
    return { rate, basis, tax: Math.round((basis * rate) / 100) }
  })
  const net = sum(taxes.map((tax) => tax.basis))
  const tax = sum(taxes.map((one) => one.tax))
  return { taxes, net, tax, gross: net + tax, advance, due: net + tax - advance }
}

/** The day of payment, days after the day of the invoice. */
export function dueDate({ date, days }) {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
}

/** The reference of a payment: digits of customer and invoice, closed by a check digit (modulo 10). */
export function paymentReference(customerNumber, invoiceNumber) {
  const digits = `${customerNumber}${invoiceNumber}`.replace(/\D/g, '')
  return digits + luhn(digits)
}

function sum(amounts) {
  return amounts.reduce((total, amount) => total + amount, 0)
}
