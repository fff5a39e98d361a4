import { companyOf } from '../profiles.mjs'

export const framework = {
  number: 'RA-2026-014',
  language: 'en',
  date: '2026-02-20',
  title: 'Framework agreement on the supply of valves',
  parties: [
    {
      company: companyOf('EN'),
      role: 'the Buyer',
      by: 'represented by Anne Øverland, purchasing',
      signs: 'Anne Øverland',
    },
    {
      company: companyOf('20178'),
      role: 'the Supplier',
      by: 'represented by the head of export sales',
      signs: 'For the Supplier',
    },
  ],
  clauses: [
    {
      heading: 'Scope',
      body: [
        'The Supplier delivers gate valves, butterfly valves and check valves to the central warehouse of the Buyer in Oslo and, on request, directly to its branches and customers in Norway and Sweden.',
        'The agreement obliges the Buyer to no quantity. The forecast for twelve months in Annex A is given in good faith and renewed each quarter.',
        'Terms of sale or purchase printed on orders, confirmations or invoices of either party do not apply.',
      ],
    },
    {
      heading: 'Call-offs',
      body: [
        'The Buyer orders by call-off that names item, quantity, place and day of delivery. The Supplier confirms within two working days; without an answer the call-off counts as confirmed.',
        'Time of delivery is ten working days from stock and six weeks for sizes made to order. The Supplier keeps in stock the quantities of the last column.',
        [
          ['Item', 'Our number', 'Kept in stock'],
          ['Gate valve, ductile iron, DN 50', 'VG-050', '120'],
          ['Gate valve, ductile iron, DN 80', 'VG-080', '80'],
          ['Gate valve, ductile iron, DN 100', 'VG-100', '80'],
          ['Butterfly valve, wafer, DN 100', 'VF-100', '60'],
          ['Check valve, ball type, DN 80', 'VC-080', '40'],
        ],
      ],
    },
    {
      heading: 'Prices',
      body: [
        "Prices are those of the Supplier's list of 1 January 2026 in euro, less the discounts below, CPT Oslo (Incoterms 2020), packing included.",
        [
          ['Group', 'Up to EUR 150,000 a year', 'Above'],
          ['Gate valves', '15 %', '18 %'],
          ['Butterfly valves', '12 %', '15 %'],
          ['Check valves', '12 %', '14 %'],
          ['Spare parts', '10 %', '10 %'],
        ],
        'List prices are firm for a calendar year. A change is announced by 1 October and may not exceed the change of the index of producer prices for metal goods since the last one.',
        'Invoices are payable within 45 days, with number and call-off of the Buyer on them. One invoice is sent for each delivery.',
      ],
    },
    {
      heading: 'Quality and documents',
      body: [
        'Valves for drinking water are delivered with the approvals required in Norway and Sweden. Coatings follow the thickness and porosity test of the data sheet; the Supplier keeps the records for ten years.',
        "With each delivery comes a certificate 3.1 by heat number, in the electronic form that the Buyer's document archive takes in.",
        'The Buyer may visit production and stores with five days of notice, together with a customer if need be.',
      ],
    },
    {
      heading: 'Delay and defects',
      body: [
        "For each week of delay begun the Supplier pays one per cent of the value of the delayed goods, ten per cent at most. After five weeks the Buyer may cancel and buy elsewhere at the Supplier's cost.",
        'The Buyer checks deliveries for number and visible damage within ten working days. Hidden defects are claimed within 30 days of their discovery and 60 months of delivery at the latest.',
        "The Supplier chooses between repair and replacement where neither delays the Buyer's project. It bears the costs of taking out and putting in, up to the price of the item three times over.",
      ],
    },
    {
      heading: 'Responsible trade',
      body: [
        "The Supplier keeps to the Buyer's code of conduct (Annex B), passes it on to foundries and coaters, and tells on request where castings come from.",
        'Packing is of wood treated and marked for international trade, or of board. Pallets are exchanged.',
      ],
    },
    {
      heading: 'Term and termination',
      body: [
        'The agreement runs from 1 March 2026 to 28 February 2029. It ends without notice; call-offs confirmed before are carried out.',
        'Each party may end it with six months of notice, and at once if the other is insolvent or in serious breach that has not been mended 30 days after notice.',
        'Norwegian law applies, the convention on the international sale of goods included. Disputes that talks between the managements do not settle go to the city court of Oslo.',
      ],
    },
  ],
}
