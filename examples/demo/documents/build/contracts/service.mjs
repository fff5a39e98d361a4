import { customerOf } from '../customers.mjs'
import { companyOf } from '../profiles.mjs'

const customer = customerOf('EN', 100421)
const [street, place] = customer.address

export const service = {
  number: 'SA-2301',
  language: 'no',
  date: '2026-02-02',
  title: 'Serviceavtale for pumpestasjoner',
  parties: [
    {
      company: companyOf('EN'),
      role: 'leverandøren',
      by: 'ved Fatima Sletten, leder for utendørs service',
      signs: 'Fatima Sletten',
    },
    {
      company: { name: customer.name, street, place, registration: customer.registration, colour: '#0b4f6c' },
      role: 'kunden',
      by: `ved ${customer.person}`,
      signs: customer.person,
    },
  ],
  clauses: [
    {
      heading: 'Hva avtalen gjelder',
      body: [
        'Leverandøren holder ettersyn med, vedlikeholder og reparerer pumpene i kundens avløpspumpestasjoner, slik at overløp så langt som mulig unngås.',
        'Avtalen omfatter stasjonene nedenfor. Nye stasjoner tas inn ved skriftlig bekreftelse og til prisene i punkt 4.',
        [
          ['Stasjon', 'Pumper', 'Besøk i året'],
          ['PS 01 Kleppestø kai', '2 x PW-100', '4'],
          ['PS 02 Florvåg', '2 x PW-080', '4'],
          ['PS 05 Strusshamn', '2 x PW-080', '4'],
          ['PS 07 Follese', '2 x PW-050', '2'],
          ['PS 11 Hetlevik', '3 x PS-100', '4'],
        ],
      ],
    },
    {
      heading: 'Ettersyn',
      body: [
        'Ved hvert besøk heves pumpene, løpehjul, kutter og akseltetning kontrolleres, isolasjonsmotstand måles, nivågivere rengjøres, og tilbakeslagsventiler prøves. Sumpen spyles.',
        'Leverandøren varsler besøket fem virkedager i forveien. Kunden sørger for adkomst og for at sumpen er ventilert.',
        'Rapport med måleverdier og bilder sendes senest sju dager etter besøket. Avvik som kan føre til overløp, meldes samme dag på telefon.',
      ],
    },
    {
      heading: 'Beredskap',
      body: [
        'Leverandøren har vakt hele døgnet. Oppmøte på stasjonen skjer innen fire timer etter at feil er meldt; ved stengt bru eller ekstremvær så snart ferdsel er forsvarlig.',
        'En leiepumpe DN 100 med slanger står klar ved avdelingen i Bergen og er forbeholdt kunden så lenge en stasjon er ute av drift.',
      ],
    },
    {
      heading: 'Priser',
      body: [
        'Prisene er i norske kroner uten merverdiavgift og reguleres hver 1. januar etter konsumprisindeksen, første gang i 2027.',
        [
          ['Ytelse', 'Enhet', 'Pris'],
          ['Fast årspris, 18 besøk', 'år', '214 200'],
          ['Beredskap', 'år', '48 000'],
          ['Montør, arbeidstid', 'time', '1 190'],
          ['Montør, kveld og helg', 'time', '1 785'],
          ['Leiepumpe DN 100', 'uke', '6 900'],
          ['Reservedeler', 'av listepris', '- 15 %'],
        ],
        'Fastprisen faktureres kvartalsvis etterskudd, øvrig arbeid månedlig mot timeliste som kunden har kvittert. Betalingsfrist er 30 dager.',
      ],
    },
    {
      heading: 'Helse, miljø og sikkerhet',
      body: [
        'Ingen går ned i sump uten gassmåler, sikringsvakt og heiseutstyr. Arbeidstillatelse fylles ut på stedet og oppbevares av leverandøren i fem år.',
        'Fett og slam som tas opp, leveres til godkjent mottak. Kunden er avfallsprodusent og får kopi av deklarasjonen.',
      ],
    },
    {
      heading: 'Ansvar',
      body: [
        'Leverandøren svarer for feil ved eget arbeid i tolv måneder og retter dem uten vederlag. Ansvar for tap er begrenset til én årspris for hvert tilfelle, unntatt ved grov uaktsomhet.',
        'Kommer leverandøren for sent etter punkt 3, trekkes ti prosent av beredskapsprisen for hver påbegynte time, høyst hele årets beredskapspris.',
      ],
    },
    {
      heading: 'Varighet',
      body: [
        'Avtalen gjelder fra 1. mars 2026 til 28. februar 2030. Kunden kan forlenge den ett år om gangen, inntil to ganger.',
        'Hver part kan heve avtalen ved vesentlig mislighold som ikke er rettet tretti dager etter skriftlig varsel. Verneting er kundens hjemting.',
      ],
    },
  ],
}
