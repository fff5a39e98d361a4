// The words, dates and amounts of a paper in each language that the companies write.

const SPACE = '\u00a0'
const MONTHS = 'January February March April May June July August September October November December'.split(' ')

const labels = {
  no: {
    invoice: 'Faktura',
    number: 'Fakturanummer',
    date: 'Fakturadato',
    due: 'Forfallsdato',
    customer: 'Kundenummer',
    order: 'Ordre',
    yours: 'Deres referanse',
    ours: 'Vår referanse',
    delivered: 'Levert',
    item: 'Vare',
    text: 'Beskrivelse',
    quantity: 'Antall',
    unit: 'Enhet',
    price: 'Pris',
    discount: 'Rabatt',
    amount: 'Beløp',
    net: 'Sum uten mva.',
    tax: 'Mva.',
    basis: 'Grunnlag',
    gross: 'Sum med mva.',
    advance: 'Betalt forskudd',
    pay: 'Å betale',
    account: 'Konto',
    reference: 'KID',
    to: 'Betales til',
    registration: 'Org.nr.',
    suffix: ' MVA',
    page: 'Side',
    terms: (days) => `Betalingsvilkår: ${days} dager netto. Etter forfall beregnes forsinkelsesrente.`,
  },
  sv: {
    invoice: 'Faktura',
    number: 'Fakturanummer',
    date: 'Fakturadatum',
    due: 'Förfallodatum',
    customer: 'Kundnummer',
    order: 'Order',
    yours: 'Er referens',
    ours: 'Vår referens',
    delivered: 'Levererat',
    item: 'Artikel',
    text: 'Beskrivning',
    quantity: 'Antal',
    unit: 'Enhet',
    price: 'À-pris',
    discount: 'Rabatt',
    amount: 'Belopp',
    net: 'Summa exkl. moms',
    tax: 'Moms',
    basis: 'Underlag',
    gross: 'Summa inkl. moms',
    advance: 'Betalt förskott',
    pay: 'Att betala',
    account: 'IBAN',
    reference: 'OCR',
    to: 'Betalas till',
    registration: 'Org.nr',
    suffix: ' · Godkänd för F-skatt',
    page: 'Sida',
    terms: (days) => `Betalningsvillkor: ${days} dagar netto. Efter förfallodagen debiteras dröjsmålsränta.`,
  },
  en: {
    invoice: 'Invoice',
    number: 'Invoice number',
    date: 'Invoice date',
    due: 'Due date',
    customer: 'Customer number',
    order: 'Order',
    yours: 'Your reference',
    ours: 'Our reference',
    delivered: 'Delivered',
    item: 'Item',
    text: 'Description',
    quantity: 'Quantity',
    unit: 'Unit',
    price: 'Price',
    discount: 'Discount',
    amount: 'Amount',
    net: 'Total excl. VAT',
    tax: 'VAT',
    basis: 'Basis',
    gross: 'Total incl. VAT',
    advance: 'Advance paid',
    pay: 'To be paid',
    account: 'Account',
    reference: 'Reference',
    to: 'Pay to',
    registration: 'Reg. no.',
    suffix: '',
    page: 'Page',
    terms: (days) => `Terms of payment: ${days} days net.`,
  },
  de: {
    invoice: 'Rechnung',
    number: 'Rechnungsnummer',
    date: 'Rechnungsdatum',
    due: 'Fällig am',
    customer: 'Kundennummer',
    order: 'Auftrag',
    yours: 'Ihr Zeichen',
    ours: 'Unser Zeichen',
    delivered: 'Geliefert',
    item: 'Artikel',
    text: 'Bezeichnung',
    quantity: 'Menge',
    unit: 'Einheit',
    price: 'Einzelpreis',
    discount: 'Rabatt',
    amount: 'Betrag',
    net: 'Summe netto',
    tax: 'USt.',
    basis: 'Grundlage',
    gross: 'Summe brutto',
    advance: 'Anzahlung',
    pay: 'Zahlbetrag',
    account: 'IBAN',
    reference: 'Verwendungszweck',
    to: 'Empfänger',
    registration: 'Reg.-Nr.',
    suffix: '',
    page: 'Seite',
    terms: (days) => `Zahlungsziel: ${days} Tage netto.`,
  },
}

const numbers = {
  no: { group: SPACE, point: ',' },
  sv: { group: SPACE, point: ',' },
  en: { group: ',', point: '.' },
  de: { group: '.', point: ',' },
}

export function wordsOf(language) {
  return labels[language]
}

/** 1234567 hundredths as 12 345,67 or in the way of the language. */
export function money(language, hundredths) {
  return decimal(language, hundredths / 100, 2)
}

export function decimal(language, value, places) {
  const { group, point } = numbers[language]
  const [whole, fraction] = Math.abs(value).toFixed(places).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group)
  return `${value < 0 ? '-' : ''}${grouped}${fraction ? point + fraction : ''}`
}

/** A quantity or price with as many places as it needs, a price with two at least. */
export function figure(language, value, atLeast = 0) {
  const places = (String(value).split('.')[1] ?? '').length
  return decimal(language, value, Math.max(places, atLeast))
}

/** 2026-03-09 as the language writes it. */
export function day(language, date) {
  const [year, month, dayOfMonth] = date.split('-')
  if (language === 'sv') return date
  if (language === 'en') return `${Number(dayOfMonth)} ${MONTHS[Number(month) - 1]} ${year}`
  return `${dayOfMonth}.${month}.${year}`
}
