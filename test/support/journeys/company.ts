// What the journeys need beyond the demo: requests that somebody approves, and views that the company shares.

const EVERYTHING = '[create, read, update, delete]'
const APIS = `      grid-views: ${EVERYTHING}\n      purchase-requests: ${EVERYTHING}\n`
const DOCUMENTS = `  - name: grid-views
    title: { EN: Shared views, "NO": Delte visninger, SV: Delade vyer, DE: Geteilte Ansichten }
    key: [companyId, document, name]
    properties:
      companyId: { type: string }
      document: { type: string, maxLength: 50 }
      name: { type: string, maxLength: 100 }
      view: { type: string, maxLength: 8000 }
  - name: purchase-requests
    title: { EN: Purchase requests, "NO": Innkjøpsforespørsler, SV: Inköpsförfrågningar, DE: Bedarfsmeldungen }
    description: What somebody wants to be bought.
    key: [companyId, requestNo]
    state:
      property: status
      closed: C
      transitions:
        - { from: "N", to: P, roles: [integration], title: { EN: Approve, "NO": Godkjenn, SV: Godkänn, DE: Genehmigen } }
    properties:
      companyId: { type: string }
      requestNo: { type: string, maxLength: 12, title: { EN: Request, "NO": Forespørsel, SV: Förfrågan, DE: Meldung } }
      subject: { type: string, required: true, title: { EN: Subject, "NO": Gjelder, SV: Avser, DE: Gegenstand } }
      status: { type: string, legalValues: { valueList: STATUS }, default: "N" }
`

export const APPROVE = { en: 'Approve', nb: 'Godkjenn', sv: 'Godk\u00e4nn', de: 'Genehmigen' } as const

/** The setup of the demo with them. */
export function withRequests(setup: string): string {
  return setup
    .replace(/(- id: integration\n {4}apis:\n)/, (start) => start + APIS)
    .replace(/(\ndocuments:\n)/, (start) => start + DOCUMENTS)
}
