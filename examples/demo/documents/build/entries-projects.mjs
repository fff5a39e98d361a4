// Papers of projects and of everyday work: drawing, delivery note, certificate, photographs, notes.
import { readFileSync } from 'node:fs'
import { drawingPdf } from './drawing-pdf.mjs'
import { certificatePdf, deliveryNotePdf } from './forms-pdf.mjs'
import { dutyNote, letter, minutes, priceList } from './notes.mjs'
import { markedIntake, photographs, scaled } from './photographs.mjs'
import { scanOf } from './scans.mjs'

export const projectEntries = [
  {
    companyId: 'EN',
    docType: 'DRAWING',
    title: 'Pumping station Askøy, piping and instrumentation diagram',
    description:
      'Wet well with two cutter pumps, flow meter and control panel. Revision letters A to C are revisions 1 to 3',
    indexes: at('P01054', 'P01054-PI-001', 'PW-080'),
    file: 'drawing-p01054-a.pdf',
    fileName: 'P01054-PI-001 rev A.pdf',
    make: () => drawingPdf('A'),
    revisions: [
      {
        file: 'drawing-p01054-b.pdf',
        fileName: 'P01054-PI-001 rev B.pdf',
        comment: 'B: branch for hire pump and pressure transmitter PT 103, in red',
        make: () => drawingPdf('B'),
      },
      {
        file: 'drawing-p01054-c.pdf',
        fileName: 'P01054-PI-001 rev C.pdf',
        comment: 'C: as built, PE 125 instead of PE 110',
        make: () => drawingPdf('C'),
      },
    ],
  },
  {
    companyId: 'EN',
    docType: 'DELIVERY',
    title: 'Delivery note 810447, Trondheim sykehus',
    description: 'Booster sets for buildings C and D, signed. One strainer is missing and will be sent',
    indexes: at('810447', 'W28'),
    file: 'delivery-810447.jpg',
    fileName: 'Følgeseddel 810447.jpg',
    make: async () => scanOf(await deliveryNotePdf(), { dpi: 150, angle: 1.1, grain: 120, seed: 5, format: 'colour' }),
    revisions: [],
  },
  {
    companyId: 'EN',
    docType: 'CERT',
    title: 'Calibration of test rig RIG-009, Trondheim',
    description: 'Certificate MK-26-1174 of Målrett Calibration AS, flow meter DN 100. Next calibration in May 2028',
    indexes: at('RIG-009'),
    file: 'certificate-rig-009.png',
    fileName: 'MK-26-1174.png',
    make: async () => scanOf(await certificatePdf(), { dpi: 130, angle: -0.7, grain: 60, seed: 6, format: 'png' }),
    revisions: [],
  },
]

const pictures = [
  [
    'P01079',
    '2026-06-11',
    'IMG_2214.jpg',
    'Brook above the intake, Mosjøen',
    'Low water. Rock on both sides carries the weir',
  ],
  [
    'P01009',
    '2026-06-29',
    'IMG_2297.jpg',
    'Track to the upper tapping point, Førde',
    'Washed out along 200 m, no way for the crane lorry before it is mended',
  ],
  [
    'P01035',
    '2026-09-30',
    'IMG_2480.jpg',
    'Plot of the water treatment plant, Røros',
    'From the county road, before the topsoil is taken off',
  ],
  [
    'P01065',
    '2026-05-12',
    'IMG_2101.jpg',
    'House wall before digging, Namsos',
    'Condition of the wall above the main; two witnesses present',
  ],
  [
    'P01054',
    '2026-04-22',
    'IMG_2033.jpg',
    'Suspenders of the bridge, Askøy',
    'Seen from the walkway. The pipe hangs on the clamps of the third span',
  ],
]

/** The photographs: from the originals where their folder is given, otherwise as they lie in the archive. */
export function photoEntries(folder) {
  const pictureOf = (photograph) =>
    folder ? scaled(folder, photograph) : readFileSync(new URL(`../${photograph.file}`, import.meta.url))
  const entries = photographs.map((photograph, i) => {
    const [project, taken, fileName, title, description] = pictures[i]
    const filed = {
      companyId: 'EN',
      docType: 'SITEPHOTO',
      title,
      description: `${description}. Photograph: ${photograph.author}, ${photograph.licence}`,
    }
    return {
      ...filed,
      indexes: at(project, taken),
      file: photograph.file,
      fileName,
      make: async () => pictureOf(photograph),
      revisions: [],
    }
  })
  entries[0].revisions.push({
    file: 'photo-intake-marked.jpg',
    fileName: 'IMG_2214 marked.jpg',
    comment: 'Marked in meeting 7: weir and route of the pipe',
    make: async () => markedIntake(await pictureOf(photographs[0])),
  })
  return entries
}

export const noteEntries = [
  {
    companyId: 'EN',
    docType: 'NOTE',
    title: 'Minutes of project meeting 7, P01079',
    description: 'Smolt hatchery, water intake, Mosjøen: progress, economy and open points on 14 October 2026',
    indexes: [],
    file: 'minutes-p01079-draft.docx',
    fileName: 'Minutes P01079 meeting 7 draft.docx',
    make: () => minutes(false),
    revisions: [
      {
        file: 'minutes-p01079-approved.docx',
        fileName: 'Minutes P01079 meeting 7.docx',
        comment: 'Approved, date of commissioning corrected',
        make: () => minutes(true),
      },
    ],
  },
  {
    companyId: 'EN',
    docType: 'NOTE',
    title: 'Price list 2027',
    description: 'Pumps, valves, meters and service hours; for the branches, not for customers before 1 December',
    indexes: [],
    file: 'price-list-2027.xlsx',
    fileName: 'Price list 2027.xlsx',
    make: async () =>
      priceList({ date: '2026-10-12', rises: { PUMPS: 3.5, VALVG: 3, VALVC: 3, METER: 2, SERVH: 4.5 } }),
    revisions: [
      {
        file: 'price-list-2027-final.xlsx',
        fileName: 'Price list 2027 final.xlsx',
        comment: 'Pumps 4.2 %, as decided by sales on 9 November',
        make: async () =>
          priceList({ date: '2026-11-09', rises: { PUMPS: 4.2, VALVG: 3, VALVC: 3, METER: 2, SERVH: 4.5 } }),
      },
    ],
  },
  {
    companyId: 'EN',
    docType: 'NOTE',
    title: 'On-call duty, Bergen, week 41',
    description: 'What happened, and what the next one on duty must know',
    indexes: [],
    file: 'duty-bergen-week-41.txt',
    fileName: 'duty week 41.txt',
    make: async () => Buffer.from(dutyNote),
    revisions: [],
  },
  {
    companyId: 'SV',
    docType: 'NOTE',
    title: 'Brev till kunder om sommarbemanning 2026',
    description: 'Verkstäder och jour vecka 27 till 31',
    indexes: [],
    file: 'letter-summer-2026-sv.docx',
    fileName: 'Kundbrev sommaren 2026.docx',
    make: () => letter(),
    revisions: [],
  },
]

function at(...values) {
  return values.map((indexValue, i) => ({ sequenceNo: i + 1, indexValue }))
}
