// The contracts of the archive. A signed page comes as a scan, and takes the place of the draft.
import { contractPdf } from './contract-pdf.mjs'
import { confidentiality } from './contracts/confidentiality.mjs'
import { employment } from './contracts/employment.mjs'
import { framework } from './contracts/framework.mjs'
import { lease } from './contracts/lease.mjs'
import { maintenanceSweden } from './contracts/maintenance-sv.mjs'
import { service } from './contracts/service.mjs'
import { scanOf } from './scans.mjs'

/** Who signed the service contract: where and when, and in which hand. */
const signed = {
  ...service,
  signed: [
    { place: 'Bergen 9/2-26', seed: 11 },
    { place: 'Kleppestø 16.2.2026', seed: 23 },
  ],
}
const glass = { page: 2, dpi: 150, angle: -0.9, grain: 110, seed: 8, format: 'grey' }

export const contractEntries = [
  contract(lease, {
    file: 'contract-lease-bergen.pdf',
    title: 'Lease of business premises, Bergen branch',
    description:
      'Havnegata 2: shop, warehouse, workshop and offices, 1,390 square metres, 14 parking spaces. Ten years from 1 March 2026',
    indexes: [
      [1, 'K-2026-031'],
      [2, '960'],
      [3, 'Havnegata Property AS'],
    ],
    fileName: 'Lease Havnegata 2, Bergen.pdf',
    expiryDate: '2041-03-01T00:00:00.000',
  }),
  contract(service, {
    file: 'contract-service-askoy.pdf',
    title: 'Service contract SA-2301, Askøy Vann og Avløp KF',
    description: 'Five pumping stations, 18 visits a year, duty around the clock. Until 28 February 2030',
    indexes: [
      [1, 'SA-2301'],
      [2, '820'],
      [3, 'Askøy Vann og Avløp KF'],
    ],
    fileName: 'Serviceavtale SA-2301 Askøy.pdf',
    revisions: [
      {
        file: 'contract-service-askoy-signed.jpg',
        fileName: 'Serviceavtale SA-2301 signert side.jpg',
        comment: 'Page 2 with both signatures, scanned in Bergen',
        make: async () => scanOf(await contractPdf(signed), glass),
      },
    ],
  }),
  contract(framework, {
    file: 'contract-framework-valves.pdf',
    title: 'Framework agreement on valves, Lyngheim Valves GmbH',
    description: 'Discounts of 12 to 18 % on the list in euro, stock kept for us in Emden. Until 28 February 2029',
    indexes: [
      [1, 'RA-2026-014'],
      [2, '620'],
      [3, 'Lyngheim Valves GmbH'],
    ],
    fileName: 'Framework agreement RA-2026-014.pdf',
  }),
  contract(confidentiality, {
    file: 'contract-confidentiality-kodefoss.pdf',
    title: 'Mutual agreement on confidentiality, Kodefoss Software AS',
    description:
      'For project P01110, records service integration. Test data is invented; access ends on 31 December 2026',
    indexes: [
      [1, 'NDA-2026-07'],
      [2, '120'],
      [3, 'Kodefoss Software AS'],
    ],
    fileName: 'NDA Kodefoss.pdf',
    expiryDate: '2033-03-30T00:00:00.000',
  }),
  contract(employment, {
    docType: 'PERSONNEL',
    file: 'personnel-10211-contract.pdf',
    title: 'Contract of employment, Liv Holm',
    description: 'Service technician, Mo i Rana field service, from 1 September 2026',
    indexes: [
      [1, '10211'],
      [2, 'Contract'],
    ],
    fileName: 'Arbeidsavtale Liv Holm.pdf',
  }),
  contract(maintenanceSweden, {
    companyId: 'SV',
    file: 'contract-maintenance-orebro.pdf',
    title: 'Underhållsavtal UA-26-018, Örebro kommun',
    description: 'Vattenverk och tryckstegring, jour med tre timmars inställelse. Gäller till den 31 mars 2030',
    indexes: [
      [1, 'UA-26-018'],
      [2, '60'],
      [3, 'Örebro kommun'],
    ],
    fileName: 'Underhållsavtal Örebro kommun.pdf',
  }),
]

function contract(paper, { indexes, ...entry }) {
  return {
    companyId: 'EN',
    docType: 'CONTRACT',
    revisions: [],
    ...entry,
    indexes: indexes.map(([sequenceNo, indexValue]) => ({ sequenceNo, indexValue })),
    make: () => contractPdf(paper),
  }
}
