// What people of the companies wrote: minutes in two versions, a letter, a price list in two versions, a note.
import { companyOf } from './profiles.mjs'
import { sheetOf } from './sheet.mjs'
import { wordOf } from './word.mjs'

const open = [
  ['No.', 'What', 'Who', 'By'],
  ['11', 'Approval of the weir by the river authority: send the drawing with levels', 'Ida Nordbø', '28 Oct'],
  ['12', 'Second quotation for directional drilling under the county road', 'Svein Kvamme', '4 Nov'],
  ['13', 'Frost protection of the level meter', 'Kari Vik', '4 Nov'],
  ['14', 'Date for the factory test of pumps P 201 to P 203', 'Anne Øverland', '11 Nov'],
]

/** Minutes of a project meeting; once approved, with the change that was asked for. */
export function minutes(approved) {
  const blocks = [
    { heading: '1  Safety' },
    'No injuries since the last meeting. One near miss: the excavator slid on wet rock at the intake. Work close to the river stops at a level above 1.40 m.',
    { heading: '2  Progress' },
    'The trench from the river to the pump house is open for 310 of 420 m. Rock at chainage 265 to 290 took four days more than planned. The photograph of the intake with the marks of today is in the archive under the project.',
    {
      list: [
        'Intake weir: formwork starts in week 44',
        'PE 250: 36 pipes on site, welding from week 45',
        'Pump house: roof closed, electricians from week 46',
        approved
          ? 'Commissioning: 8 February 2027, a week later than in the plan of June'
          : 'Commissioning: 1 February 2027, as in the plan of June',
      ],
    },
    { heading: '3  Economy' },
    'Costs to date are NOK 6.84 million of a budget of NOK 11.2 million. The rock is a change under clause 4; notice was given on 30 September.',
    { heading: '4  Open points' },
    { table: open, widths: [8, 56, 22, 14] },
    approved
      ? 'Approved by all participants on 21 October 2026, with the date of commissioning corrected.'
      : 'Draft. Comments to Svein Kvamme by 20 October.',
  ]
  const facts = [
    ['Project', 'P01079  Smolt hatchery, water intake, Mosjøen'],
    ['Time and place', '14 October 2026, 9 to 10.30, site office'],
    ['Present', 'Svein Kvamme (chair), Kari Vik, Ida Nordbø, Anne Øverland (by video), contractor'],
    ['Status', approved ? 'Approved' : 'Draft'],
  ]
  return wordOf({
    company: companyOf('EN'),
    title: 'Minutes of project meeting 7',
    facts,
    blocks,
    date: approved ? '2026-10-21' : '2026-10-15',
  })
}

/** A letter of the Swedish company. */
export function letter() {
  const facts = [
    ['Till', 'Våra kunder inom dricksvatten'],
    ['Datum', '2026-06-08'],
    ['Handläggare', 'Åsa Rosén'],
    ['Ärende', 'Sommarbemanning och jour 2026'],
  ]
  const blocks = [
    'Under vecka 27 till 31 arbetar våra verkstäder med minskad bemanning. Avtalade besök ligger fast, och jouren är som vanligt bemannad dygnet runt.',
    'Reservpumpar för kunder med underhållsavtal finns i lager. Beställ gärna slitdelar före midsommar: leverantörernas semester förlänger leveranstiden.',
    {
      table: [
        ['Ort', 'Verkstad', 'Jour'],
        ['Göteborg och Malmö', 'vecka 29 och 30 stängd', 'dygnet runt'],
        ['Stockholm och Örebro', 'öppen 8 till 15', 'dygnet runt'],
        ['Gävle, Sundsvall, Luleå', 'vecka 28 till 30 stängd', 'dygnet runt'],
      ],
      widths: [40, 35, 25],
    },
    'Vi önskar er en trevlig sommar.',
    'Example Svenska AB, service',
  ]
  return wordOf({ company: companyOf('SV'), title: 'Brev till kunder', facts, blocks, date: '2026-06-08' })
}

const prices = [
  ['PW-050', 'Submersible pump, sewage, cutter, DN 50', 'PUMPS', 29_900],
  ['PW-080', 'Submersible pump, sewage, cutter, DN 80', 'PUMPS', 38_450],
  ['PW-100', 'Submersible pump, sewage, cutter, DN 100', 'PUMPS', 46_200],
  ['PW-150', 'Submersible pump, sewage, cutter, DN 150', 'PUMPS', 71_800],
  ['VG-050', 'Gate valve, ductile iron, DN 50', 'VALVG', 2_410],
  ['VG-065', 'Gate valve, ductile iron, DN 65', 'VALVG', 2_890],
  ['VG-080', 'Gate valve, ductile iron, DN 80', 'VALVG', 3_385.5],
  ['VG-100', 'Gate valve, ductile iron, DN 100', 'VALVG', 4_160],
  ['VC-050', 'Check valve, ball type, DN 50', 'VALVC', 2_740],
  ['VC-065', 'Check valve, ball type, DN 65', 'VALVC', 3_320],
  ['VC-080', 'Check valve, ball type, DN 80', 'VALVC', 4_120],
  ['VC-100', 'Check valve, ball type, DN 100', 'VALVC', 5_290],
  ['MF-025', 'Flow meter, electromagnetic, DN 25', 'METER', 13_480],
  ['MF-050', 'Flow meter, electromagnetic, DN 50', 'METER', 16_940],
  ['MF-080', 'Flow meter, electromagnetic, DN 80', 'METER', 20_150],
  ['MF-100', 'Flow meter, electromagnetic, DN 100', 'METER', 22_600],
  ['SH-001', 'Service hour, level 1', 'SERVH', 980],
  ['SH-002', 'Service hour, level 2', 'SERVH', 1_190],
  ['SH-003', 'Service hour, level 3', 'SERVH', 1_420],
]

/** The price list of the coming year, with a rise in percent for each product group. */
export function priceList({ date, rises }) {
  const rows = prices.map(([item, text, group, price]) => {
    const next = Math.round(price * (100 + (rises[group] ?? 0))) / 100
    return [item, text, group, price, Math.round(next / 5) * 5]
  })
  const head = ['Item', 'Description', 'Product group', 'NOK 2026', 'NOK 2027']
  return sheetOf({
    name: 'Prices 2027',
    title: 'Price list 2027',
    author: 'Example Nordic AS',
    date,
    widths: [10, 44, 14, 12, 12],
    rows: [head, ...rows],
  })
}

export const dutyNote = `On-call duty, Bergen, week 41 (5 to 12 October 2026)
Kept by: Thea Kowalczyk (10116), handed over to Aina Sandvik (10115)

Mon 21:40  PS 05 Strusshamn, Askøy: high level. Pump 1 blocked by cloth, cleared on site 23:10.
           No overflow. Cutter is worn: order SM-028 and cutter set, on SA-2301.
Wed 03:15  Bergen sykehus, building B: booster set alarm "dry run". Closed valve after work by others.
           Back in service 04:05. Not under contract, 2 hours SH-003.
Thu        Quiet.
Sat 13:20  Hire pump HPU-020 to PS 02 Florvåg as reserve during repair. Stays until Tuesday.

For the next duty:
- Key 14 (Florvåg) is with the caretaker, not in the cabinet.
- VAN-013: warning light for tyre pressure, front left. Filled, watch it.
- The gas meter in VAN-014 is due for calibration on 30 October.
`
