import { companyOf } from '../profiles.mjs'

export const confidentiality = {
  number: 'NDA-2026-07',
  language: 'en',
  date: '2026-03-30',
  title: 'Mutual agreement on confidentiality',
  parties: [
    {
      company: companyOf('EN'),
      role: 'Example Nordic',
      by: 'represented by Ingrid Lunde, legal and compliance',
      signs: 'Ingrid Lunde',
    },
    {
      company: companyOf('20650'),
      role: 'Kodefoss',
      by: 'represented by the managing director',
      signs: 'For Kodefoss',
    },
  ],
  clauses: [
    {
      heading: 'Purpose',
      body: [
        'The parties examine together whether and how the records service of Example Nordic can be connected to software of Kodefoss (project P01110, records service integration). For this each will show the other information that is not public.',
      ],
    },
    {
      heading: 'What is confidential',
      body: [
        'Confidential is all that a party tells, shows or makes accessible to the other for the purpose, in whatever form: customer and employee records, prices, contracts, drawings, program source, interfaces, keys, and what follows from them. It need not be marked.',
        'Not confidential is what the receiver can prove that it knew before, that became public without its doing, that it received lawfully from others, or that it developed on its own without use of what it was shown.',
        'That the parties are in talks is itself confidential until both agree on a text.',
      ],
    },
    {
      heading: 'Duties of the receiver',
      body: [
        'The receiver uses confidential information for the purpose only, gives it to those of its own people and advisers only who need it and are bound in the same way, and protects it as its own, at least with the care of a prudent business.',
        'It makes no copies beyond need and does not take programs apart, test data excepted that were made for that.',
        'If the receiver is obliged by law or an authority to hand information over, it tells the other beforehand where that is allowed, and hands over no more than it must.',
      ],
    },
    {
      heading: 'Personal data',
      body: [
        'Tests are made with invented data. If personal data of Example Nordic must be seen nonetheless, the parties first conclude an agreement on their processing; without it none may leave the systems of Example Nordic.',
        'A breach of security that may concern data of the other party is reported within 24 hours, with what is known then.',
      ],
    },
    {
      heading: 'Access',
      body: [
        'Kodefoss receives a client of its own in the test installation, with the rights that the table allows. The secret is handed to one person by name and changed every 90 days.',
        [
          ['Area', 'Rights', 'Until'],
          ['Attribute values and relations', 'read', '31 Dec 2026'],
          ['Document archive, test documents', 'read, create', '31 Dec 2026'],
          ['Customers', 'none', '-'],
        ],
      ],
    },
    {
      heading: 'Rights',
      body: [
        'All information remains the property of the party that showed it. No licence and no obligation to buy, sell or go on with the talks follows from this agreement.',
        'Suggestions that one party makes about the product of the other may be used by the other free of charge, unless the party said otherwise when making them.',
      ],
    },
    {
      heading: 'Return, term and law',
      body: [
        'On request, and at the latest 30 days after the end of the talks, the receiver returns or destroys what it received and confirms this in writing. Copies in backups are destroyed in their ordinary turn and stay confidential until then.',
        'The agreement applies from its signature for two years; the duties of secrecy go on for five years after, and for program source and personal data without end.',
        'Whoever breaks this agreement makes good the loss. For each breach by intent or gross negligence NOK 250,000 is due besides, without proof of a loss.',
        'Norwegian law applies. The city court of Oslo is the court for both parties.',
      ],
    },
  ],
}
