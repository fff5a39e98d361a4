import { customerOf } from '../customers.mjs'
import { companyOf } from '../profiles.mjs'

const customer = customerOf('SV', 50011)
const [street, place] = customer.address

export const maintenanceSweden = {
  number: 'UA-26-018',
  language: 'sv',
  date: '2026-03-02',
  title: 'Underhållsavtal för vattenverk och tryckstegring',
  parties: [
    { company: companyOf('SV'), role: 'leverantören', by: 'genom Maria Björklund, VD', signs: 'Maria Björklund' },
    {
      company: { name: customer.name, street, place, registration: customer.registration, colour: '#0b4f6c' },
      role: 'beställaren',
      by: 'genom tekniska förvaltningen',
      signs: 'För beställaren',
    },
  ],
  clauses: [
    {
      heading: 'Omfattning',
      body: [
        'Leverantören utför förebyggande underhåll av pumpar, ventiler och mätare i beställarens vattenverk och tryckstegringsstationer enligt förteckningen.',
        [
          ['Anläggning', 'Utrustning', 'Besök per år'],
          ['Vattenverket, råvatten', '3 centrifugalpumpar', '4'],
          ['Vattenverket, renvatten', '4 centrifugalpumpar', '4'],
          ['Tryckstegring Norra', 'BS-040', '2'],
          ['Tryckstegring Väster', 'BS-020', '2'],
          ['Mätarbrunnar', '11 flödesmätare', '1'],
        ],
        'Arbete som inte ingår offereras eller utförs på löpande räkning efter beställning.',
      ],
    },
    {
      heading: 'Utförande',
      body: [
        'Besöken planeras i samråd och läggs så att leveransen av dricksvatten inte störs. Personal som arbetar i vattenverket har genomgått beställarens hygienutbildning.',
        'Vid varje besök mäts vibration, lagertemperatur, ström och tryck. Flödesmätare kontrolleras mot referens och får intyg med spårbarhet.',
        'Protokoll lämnas elektroniskt inom fem arbetsdagar. Allvarliga fel anmäls genast till vattenverkets jour.',
      ],
    },
    {
      heading: 'Jour',
      body: [
        'Leverantören har jour dygnet runt. Inställelsetiden är tre timmar inom kommunen. Jourtelefonnumret står på skylten i varje station.',
        'Reservpump av samma storlek hålls i lager i Örebro för råvatten och renvatten.',
      ],
    },
    {
      heading: 'Ersättning',
      body: [
        'Alla priser är i svenska kronor utan moms och räknas om den 1 januari varje år med index för tjänster.',
        [
          ['Tjänst', 'Enhet', 'Pris'],
          ['Förebyggande underhåll', 'år', '168 400'],
          ['Jour', 'månad', '3 900'],
          ['Servicetekniker', 'timme', '1 090'],
          ['Servicetekniker, jour', 'timme', '1 640'],
          ['Reservdelar', 'av listpris', '- 12 %'],
        ],
        'Fakturering sker kvartalsvis i efterskott. Betalningstiden är 30 dagar. Fakturan märks med avtalets nummer och beställarens referens.',
      ],
    },
    {
      heading: 'Ansvar och försäkring',
      body: [
        'Leverantören avhjälper fel i eget arbete kostnadsfritt under 24 månader och håller ansvarsförsäkring om minst tio miljoner kronor.',
        'Vite för utebliven inställelse är 2 500 kronor per påbörjad timme, högst 25 000 kronor per tillfälle.',
      ],
    },
    {
      heading: 'Avtalstid',
      body: [
        'Avtalet gäller från den 1 april 2026 till den 31 mars 2030 med rätt för beställaren till förlängning i två år.',
        'Avtalet kan hävas om en part i väsentlig mån bryter mot det och inte vidtar rättelse inom 30 dagar. Tvist avgörs av allmän domstol på beställarens ort.',
        'Avtalet är upprättat i två likalydande exemplar.',
      ],
    },
  ],
}
