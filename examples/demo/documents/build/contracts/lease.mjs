import { companyOf } from '../profiles.mjs'

export const lease = {
  number: 'K-2026-031',
  language: 'en',
  date: '2026-01-15',
  title: 'Lease of business premises',
  parties: [
    {
      company: companyOf('20620'),
      role: 'the Landlord',
      by: 'represented by the managing director',
      signs: 'For the Landlord',
    },
    {
      company: companyOf('EN'),
      role: 'the Tenant',
      by: 'represented by Stian Nygård, property and vehicles',
      signs: 'Stian Nygård',
    },
  ],
  clauses: [
    {
      heading: 'The premises',
      body: [
        'The Landlord lets to the Tenant premises on the ground and first floor of Havnegata 2, 5015 Bergen, for use as branch: shop, warehouse, workshop and offices. Plans of both floors are Annex 1.',
        'The areas are measured inside the outer walls. A difference of less than two per cent changes nothing in the rent.',
        [
          ['Area', 'Floor', 'Square metres'],
          ['Shop and counter', 'Ground floor', '186'],
          ['Warehouse with two gates', 'Ground floor', '640'],
          ['Workshop with crane, 2 tonnes', 'Ground floor', '310'],
          ['Offices and canteen', 'First floor', '254'],
          ['Sum', '', '1,390'],
        ],
        'With the premises go 14 marked parking spaces, four of them with charging points, and the use of the yard for loading between 6 a.m. and 8 p.m.',
      ],
    },
    {
      heading: 'Term',
      body: [
        'The lease begins on 1 March 2026 and ends on 28 February 2036 without notice.',
        'The Tenant may extend it twice by five years at the rent then in force, by written notice at least twelve months before the end.',
        'The Landlord hands the premises over cleared and clean. A record with photographs is made at handover and signed by both; what is not recorded there is held to be without defects that could have been seen.',
      ],
    },
    {
      heading: 'Rent and adjustment',
      body: [
        'The rent is NOK 2,154,540 a year, value added tax to be added, payable quarterly in advance by invoice with 30 days.',
        'The rent follows the consumer price index each 1 January, for the first time in 2027, from the index of November to the index of November. It is never set below the rent first agreed.',
        [
          ['Part of the rent', 'Price per square metre', 'NOK a year'],
          ['Shop', '2,150', '399,900'],
          ['Warehouse', '1,290', '825,600'],
          ['Workshop', '1,430', '443,300'],
          ['Offices and canteen', '1,720', '436,880'],
          ['Parking, 14 spaces', '3,490 each', '48,860'],
          ['Sum', '', '2,154,540'],
        ],
        'The Tenant provides a bank guarantee for six months of rent and shared costs before the handover.',
      ],
    },
    {
      heading: 'Shared costs and energy',
      body: [
        'The Tenant bears 41 per cent of the costs of running the property: cleaning and snow of common areas, lift, fire alarm, waste, insurance of the building. Management is charged at no more than three per cent of the rent.',
        'Electricity and district heating are metered and charged by meter. The Landlord sends the account for a year before the end of April of the next.',
      ],
    },
    {
      heading: 'Use, maintenance and changes',
      body: [
        'The Tenant keeps the premises inside in good order: surfaces, doors, gates, locks and its own installations. The Landlord keeps the building outside, the roof, the bearing structure, and the technical installations common to the building, and replaces them in time.',
        'Oil, coolants and flushing water of the workshop are led to the separator only. The Tenant has it emptied and checked once a year and keeps the receipts for five years.',
        'Changes need the written consent of the Landlord, which shall not be withheld without reason. The Tenant may fix racking, compressed air and a test basin as shown in Annex 2 and removes them at the end, unless the parties agree otherwise.',
        'Signs on the facade are subject to a plan of the Landlord for the whole building and to the approval of the municipality.',
      ],
    },
    {
      heading: 'Subletting and transfer',
      body: [
        'The Tenant may sublet to companies of its group by notice. Other subletting, and any transfer of the lease, needs consent in writing.',
        'If the Landlord sells the property, the lease goes over to the buyer with all annexes.',
      ],
    },
    {
      heading: 'Breach, damage and insurance',
      body: [
        'Each party insures its own: the Landlord the building, the Tenant its goods, fixtures and loss of business. Neither claims from the other what its own insurance pays.',
        'If the premises cannot be used for more than 14 days for reasons within the control of the Landlord, rent is reduced in proportion from the first day. After 90 days the Tenant may end the lease.',
        'The Tenant accepts eviction without a judgment where rent has not been paid 14 days after a written notice.',
      ],
    },
    {
      heading: 'End of the lease',
      body: [
        'The Tenant returns the premises cleared, clean and in the condition that fair wear of ten years allows. An inspection is held four weeks before.',
        'Disputes are brought before the court of the place of the property. This lease is made in two copies, one for each party.',
      ],
    },
  ],
  annex: {
    title: 'Annex 1: Plans',
    floors: [
      {
        name: 'Ground floor',
        top: 46,
        rooms: [
          ['Warehouse  640 m²', 0, 0, 40, 16],
          ['Workshop  310 m²', 40, 0, 20, 15.5],
          ['Shop and counter  186 m²', 40, 15.5, 20, 9.3],
          ['Gates and loading yard', 0, 16, 40, 8.8],
        ],
      },
      {
        name: 'First floor',
        top: 278,
        rooms: [
          ['Offices  168 m²', 0, 0, 24, 7],
          ['Canteen  86 m²', 24, 0, 12.3, 7],
        ],
      },
      {
        name: 'Parking: 14 spaces, numbers 1 to 4 with charging points',
        top: 366,
        rooms: Array.from({ length: 14 }, (_, i) => [`${i + 1}`, i * 4.2, 0, 4.2, 8]),
      },
    ],
  },
}
