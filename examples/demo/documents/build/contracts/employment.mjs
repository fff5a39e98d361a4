import { companyOf } from '../profiles.mjs'

export const employment = {
  number: '10211',
  language: 'no',
  date: '2026-06-24',
  title: 'Arbeidsavtale',
  parties: [
    { company: companyOf('EN'), role: 'arbeidsgiver', by: 'ved Håkon Tveit, personal', signs: 'Håkon Tveit' },
    {
      company: { name: 'Liv Holm', street: 'Ansattnummer 10211', place: 'Mo i Rana', colour: '#0b4f6c' },
      role: 'arbeidstaker',
      signs: 'Liv Holm',
    },
  ],
  clauses: [
    {
      heading: 'Stilling og arbeidssted',
      body: [
        'Arbeidstakeren ansettes fast i hel stilling som servicemontør ved avdelingen i Mo i Rana, kostnadssted 2940 (utendørs service). Nærmeste leder er avdelingslederen.',
        'Arbeidet utføres hos kunder på Helgeland og i Salten. Frammøtested er avdelingen; serviceverktøy og bil står til rådighet fra første dag.',
        'Stillingen omfatter ettersyn, montering og reparasjon av pumper, ventiler og målere, og deltakelse i vaktordningen hver sjette uke etter opplæring.',
      ],
    },
    {
      heading: 'Tiltredelse og prøvetid',
      body: [
        'Tiltredelse er 1. september 2026. Prøvetiden er seks måneder med fjorten dagers gjensidig oppsigelsesfrist.',
        'Etter prøvetiden gjelder lovens frister, likevel minst to måneder. Oppsigelse skal være skriftlig.',
      ],
    },
    {
      heading: 'Arbeidstid',
      body: [
        'Alminnelig arbeidstid er 37,5 timer i uken, mandag til fredag mellom klokken 7.00 og 15.00 med en halv times spisepause. Timer føres hver dag på prosjekt og aktivitet.',
        'Pålagt overtid betales med 50 prosent tillegg på hverdager og 100 prosent etter klokken 20.00, på lørdager, søndager og helligdager. Reisetid regnes etter særavtalen om reiser.',
      ],
    },
    {
      heading: 'Lønn og andre ytelser',
      body: [
        'Lønn utbetales den 12. i hver måned til kontoen som arbeidstakeren har oppgitt.',
        [
          ['Lønnsart', 'Betegnelse', 'Kroner'],
          ['130', 'Timelønn, utendørs service', '268,50'],
          ['235', 'Vakt, for hver uke', '4 200,00'],
          ['240', 'Utrykning, for hver', '650,00'],
          ['260', 'Smusstillegg, time', '21,00'],
          ['630', 'Verktøygodtgjørelse, måned', '300,00'],
        ],
        'Feriepenger er 12 prosent. Arbeidstakeren er medlem av innskuddspensjonen og av gruppelivsforsikringen fra første dag.',
        'Arbeidstøy, vernesko og briller med styrke dekkes etter bedriftens regler.',
      ],
    },
    {
      heading: 'Opplæring',
      body: [
        'Arbeidsgiver bekoster kurs i varme arbeider, arbeid i sump og trange rom, stropping og kranførerbevis G11 i løpet av første år. Kurs regnes som arbeidstid.',
        'Slutter arbeidstakeren etter eget ønske innen tolv måneder etter et kurs som har kostet mer enn 25 000 kroner, betales en forholdsmessig del tilbake.',
      ],
    },
    {
      heading: 'Taushet, utstyr og personopplysninger',
      body: [
        'Arbeidstakeren bevarer taushet om kunders anlegg, priser og andre forhold som ikke er allment kjent, også etter at arbeidsforholdet er slutt.',
        'Nøkler, adgangskort, telefon og verktøy leveres tilbake siste dag. Bilens posisjon lagres i 60 dager av hensyn til vaktordningen og brukes ikke til å måle arbeidstid.',
        'Personopplysninger behandles slik det står i personalhåndboken. Denne avtalen oppbevares i personalmappen.',
      ],
    },
    {
      heading: 'Tariffavtale',
      body: [
        'Bedriften er bundet av tariffavtalen for verksteder og dens særavtaler. Denne avtalen er skrevet i to eksemplarer, ett til hver.',
      ],
    },
  ],
}
