// What is said of built-in documents, their properties and lists, in the languages of `built-in-titles.ts`. Their
// definitions say it in English; each sentence of that is the key of its words.

type Translations = readonly [norwegian: string, swedish: string, german: string]

export const DESCRIPTIONS: Readonly<Record<string, Translations>> = {
  '1 debit, -1 credit.': ['1 debet, -1 kredit.', '1 debet, -1 kredit.', '1 Soll, -1 Haben.'],
  'A code of a value list, with what it is called in one language.': [
    'Kodene i verdilister, og hva de betyr.',
    'Koderna i värdelistor, och vad de betyder.',
    'Die Codes der Wertelisten und was sie bedeuten.',
  ],
  'A customer of a company.': ['Kundene i et selskap.', 'Kunderna i ett företag.', 'Die Kunden eines Unternehmens.'],
  'A document of the archive, without its content.': [
    'Dokumentene i arkivet, med det de er arkivert under.',
    'Dokumenten i arkivet, med det som de är arkiverade under.',
    'Die Dokumente des Archivs mit dem, wonach sie abgelegt sind.',
  ],
  'A document type of the company; cannot be changed.': [
    'En dokumenttype i selskapet; kan ikke endres.',
    'En dokumenttyp i företaget; kan inte ändras.',
    'Eine Dokumentart des Unternehmens; kann nicht geändert werden.',
  ],
  'A legal value of the attribute that the relation leads to.': [
    'En gyldig verdi av attributtet som relasjonen fører til.',
    'Ett giltigt värde av attributet som relationen leder till.',
    'Ein gültiger Wert des Attributs, zu dem die Beziehung führt.',
  ],
  'A legal value of the attribute; cannot be changed.': [
    'En gyldig verdi av attributtet; kan ikke endres.',
    'Ett giltigt värde av attributet; kan inte ändras.',
    'Ein gültiger Wert des Attributs; kann nicht geändert werden.',
  ],
  'A legal value of the related attribute.': [
    'En gyldig verdi av det relaterte attributtet.',
    'Ett giltigt värde av det relaterade attributet.',
    'Ein gültiger Wert des verknüpften Attributs.',
  ],
  'A legal value; left out when the attribute numbers its values itself.': [
    'En gyldig verdi; tom når attributtet selv nummererer verdiene.',
    'Ett giltigt värde; tomt när attributet självt numrerar sina värden.',
    'Ein gültiger Wert; leer, wenn das Attribut seine Werte selbst nummeriert.',
  ],
  'A line of a voucher in the general ledger.': [
    'Linjene i bilagene i hovedboken.',
    'Raderna i huvudbokens verifikationer.',
    'Die Zeilen der Belege im Hauptbuch.',
  ],
  'A link between values of two attributes, with its validity and share.': [
    'Relasjoner mellom verdiene til attributter.',
    'Relationer mellan attributens värden.',
    'Beziehungen zwischen den Werten von Attributen.',
  ],
  'A relation configured for the attribute; cannot be changed.': [
    'En relasjon som er satt opp for attributtet; kan ikke endres.',
    'En relation som är inställd för attributet; kan inte ändras.',
    'Eine für das Attribut eingerichtete Beziehung; kann nicht geändert werden.',
  ],
  'A value of the attribute ADDRTYPE; cannot be changed.': [
    'En verdi av attributtet ADDRTYPE; kan ikke endres.',
    'Ett värde av attributet ADDRTYPE; kan inte ändras.',
    'Ein Wert des Attributs ADDRTYPE; kann nicht geändert werden.',
  ],
  'A value of the attribute of the index, where it has one.': [
    'En verdi av indeksens attributt, der den har et.',
    'Ett värde av indexets attribut, där det har ett.',
    'Ein Wert des Attributs des Index, wo er eines hat.',
  ],
  'A value of the owner attribute, where one is set up.': [
    'En verdi av eierattributtet, der et er satt opp.',
    'Ett värde av ägarattributet, där ett är inställt.',
    'Ein Wert des Eigentümerattributs, wo eines eingerichtet ist.',
  ],
  'Active (when it is left out), Parked or Closed (N, P and C are read too).': [
    'Active (aktiv, hvis feltet er tomt), Parked (parkert) eller Closed (lukket); N, P og C leses også.',
    'Active (aktiv, om fältet är tomt), Parked (parkerad) eller Closed (stängd); N, P och C läses också.',
    'Active (aktiv, wenn das Feld leer ist), Parked (geparkt) oder Closed (geschlossen); N, P und C werden auch gelesen.',
  ],
  'An attribute that a company keeps values of.': [
    'Attributtene i et selskap, for eksempel kostnadssted og prosjekt.',
    'Attributen i ett företag, till exempel kostnadsställe och projekt.',
    'Die Attribute eines Unternehmens, zum Beispiel Kostenstelle und Projekt.',
  ],
  'An attribute that a configured relation leads to; cannot be changed.': [
    'Et attributt som en oppsatt relasjon fører til; kan ikke endres.',
    'Ett attribut som en inställd relation leder till; kan inte ändras.',
    'Ein Attribut, zu dem eine eingerichtete Beziehung führt; kann nicht geändert werden.',
  ],
  'An entry of the change log: a record that was changed, access that was refused, or a call of an agent.': [
    'Poster i endringsloggen: hvem som endret hva, avvist tilgang og kall fra agenter.',
    'Poster i ändringsloggen: vem som ändrade vad, nekad åtkomst och anrop från agenter.',
    'Einträge des Änderungsprotokolls: wer was geändert hat, abgewiesene Zugriffe und Aufrufe von Agenten.',
  ],
  'Answered only.': ['Bare til visning.', 'Endast för visning.', 'Nur zur Anzeige.'],
  'At least one of the General type.': [
    'Minst ett av den generelle typen.',
    'Minst en av den allmänna typen.',
    'Mindestens einer der allgemeinen Art.',
  ],
  'Base64.': ['Base64.', 'Base64.', 'Base64.'],
  'By the ending of the file name.': [
    'Etter filnavnets endelse.',
    'Efter filnamnets ändelse.',
    'Nach der Endung des Dateinamens.',
  ],
  'Cannot be changed.': ['Kan ikke endres.', 'Kan inte ändras.', 'Kann nicht geändert werden.'],
  'Counted by the service.': ['Telles av tjenesten.', 'Räknas av tjänsten.', 'Wird vom Dienst gezählt.'],
  'create, update, delete, refused, call or erase.': [
    'create (opprettet), update (endret), delete (slettet), refused (avvist), call (kalt) eller erase (fjernet for godt).',
    'create (skapad), update (ändrad), delete (borttagen), refused (nekad), call (anropad) eller erase (raderad för gott).',
    'create (angelegt), update (geändert), delete (gelöscht), refused (abgewiesen), call (aufgerufen) oder erase (endgültig entfernt).',
  ],
  'Empty, but in a refusal.': [
    'Tomt, bortsett fra i et avslag.',
    'Tomt, utom i ett avslag.',
    'Leer, außer in einer Ablehnung.',
  ],
  'End of validity; 2099-12-31 when open.': [
    'Gyldig til; 2099-12-31 når den er åpen.',
    'Giltigt till; 2099-12-31 när det är öppet.',
    'Ende der Gültigkeit; 2099-12-31, wenn es offen ist.',
  ],
  'Given by the service.': ['Tildeles av tjenesten.', 'Tilldelas av tjänsten.', 'Wird vom Dienst vergeben.'],
  'Group -> field -> value, as the setup of the company defines them.': [
    'Gruppe, felt og verdi, slik oppsettet av selskapet definerer dem.',
    'Grupp, fält och värde, som företagets konfiguration definierar dem.',
    'Gruppe, Feld und Wert, wie die Konfiguration des Unternehmens sie festlegt.',
  ],
  'Group -> property -> value, as the setup of the company names them.': [
    'Gruppe, felt og verdi, slik oppsettet av selskapet navngir dem.',
    'Grupp, fält och värde, som företagets konfiguration namnger dem.',
    'Gruppe, Feld und Wert, wie die Konfiguration des Unternehmens sie nennt.',
  ],
  'Grows in the order of the list.': [
    'Vokser i listens rekkefølge.',
    'Växer i listans ordning.',
    'Wächst in der Reihenfolge der Liste.',
  ],
  'In bytes.': ['I byte.', 'I byte.', 'In Byte.'],
  "In the company's currency; debit is positive.": [
    'I selskapets valuta; debet er positivt.',
    'I företagets valuta; debet är positivt.',
    'In der Währung des Unternehmens; Soll ist positiv.',
  ],
  'In the order of the commits; with gaps, as a write may need a number and change nothing.': [
    'I den rekkefølgen endringene ble lagret; med hull, fordi en lagring kan bruke et nummer uten å endre noe.',
    'I den ordning som ändringarna sparades; med luckor, eftersom en skrivning kan ta ett nummer utan att ändra något.',
    'In der Reihenfolge der Speicherung; mit Lücken, weil ein Schreibvorgang eine Nummer verbrauchen kann, ohne etwas zu ändern.',
  ],
  'Its values may have contact points.': [
    'Verdiene kan ha kontaktpunkter.',
    'Dess värden får ha kontaktpunkter.',
    'Seine Werte dürfen Kontaktpunkte haben.',
  ],
  'Kept as it was sent.': [
    'Lagres slik den ble sendt.',
    'Sparas som den skickades.',
    'Wird gespeichert, wie sie gesendet wurde.',
  ],
  'Left out when the company numbers its customers itself; cannot be changed.': [
    'Tom når selskapet selv nummererer kundene; kan ikke endres.',
    'Tomt när företaget självt numrerar sina kunder; kan inte ändras.',
    'Leer, wenn das Unternehmen seine Kunden selbst nummeriert; kann nicht geändert werden.',
  ],
  'manual or system.': [
    'manual (manuelt) eller system (av systemet).',
    'manual (manuellt) eller system (av systemet).',
    'manual (von Hand) oder system (durch das System).',
  ],
  'Master data: a value of an attribute in a range of periods.': [
    'Verdier som poster konteres og grupperes etter, for eksempel kostnadssteder.',
    'Värden som poster konteras och grupperas efter, till exempel kostnadsställen.',
    'Werte, nach denen kontiert und gruppiert wird, zum Beispiel Kostenstellen.',
  ],
  'N active (when it is left out), P parked, C closed.': [
    'N aktiv (hvis feltet er tomt), P parkert, C lukket.',
    'N aktiv (om fältet är tomt), P parkerad, C stängd.',
    'N aktiv (wenn das Feld leer ist), P geparkt, C geschlossen.',
  ],
  'N active, P parked, C closed.': [
    'N aktiv, P parkert, C lukket.',
    'N aktiv, P parkerad, C stängd.',
    'N aktiv, P geparkt, C geschlossen.',
  ],
  'N, or T once it is deleted.': [
    'N, eller T når det er slettet.',
    'N, eller T när det är borttaget.',
    'N, oder T, sobald es gelöscht ist.',
  ],
  'Of a call what was answered.': ['Ved et kall svaret.', 'Vid ett anrop svaret.', 'Bei einem Aufruf die Antwort.'],
  'Of descriptions.': ['Språket tekstene er på.', 'Texternas språk.', 'Die Sprache der Texte.'],
  'Of the attribute; answered only.': [
    'Hører til attributtet; bare til visning.',
    'Hör till attributet; endast för visning.',
    'Gehört zum Attribut; nur zur Anzeige.',
  ],
  'Of the configured relation; answered only.': [
    'Hører til den oppsatte relasjonen; bare til visning.',
    'Hör till den inställda relationen; endast för visning.',
    'Gehört zur eingerichteten Beziehung; nur zur Anzeige.',
  ],
  'Of the content, in bytes.': [
    'Innholdets størrelse, i byte.',
    'Innehållets storlek, i byte.',
    'Die Größe des Inhalts, in Byte.',
  ],
  'Of the index, as the document type has it.': [
    'Nummeret på indeksen, slik dokumenttypen har det.',
    'Indexets nummer, som dokumenttypen har det.',
    'Die Nummer des Index, wie die Dokumentart sie hat.',
  ],
  'Of the list.': ['Navnet på listen.', 'Listans namn.', 'Der Name der Liste.'],
  'Of the newest revision.': [
    'Nummeret på den nyeste revisjonen.',
    'Den senaste revisionens nummer.',
    'Die Nummer der neuesten Revision.',
  ],
  'Of the related attribute; answered only.': [
    'Hører til det relaterte attributtet; bare til visning.',
    'Hör till det relaterade attributet; endast för visning.',
    'Gehört zum verknüpften Attribut; nur zur Anzeige.',
  ],
  'Of the voucher.': ['Bilagets nummer.', 'Verifikationens nummer.', 'Die Nummer des Belegs.'],
  'Only where the attribute allows them.': [
    'Bare der attributtet tillater dem.',
    'Endast där attributet tillåter dem.',
    'Nur wo das Attribut sie erlaubt.',
  ],
  'registered, posted or historical.': [
    'registered (registrert), posted (bokført) eller historical (historisk).',
    'registered (registrerad), posted (bokförd) eller historical (historisk).',
    'registered (erfasst), posted (gebucht) oder historical (historisch).',
  ],
  "Relations of the customer as a value of the company's customer attribute.": [
    'Kundens relasjoner som verdi av selskapets kundeattributt.',
    'Kundens relationer som värde av företagets kundattribut.',
    'Beziehungen des Kunden als Wert des Kundenattributs des Unternehmens.',
  ],
  'SHA-256 in hexadecimal, of the entry before it; empty at first.': [
    'SHA-256 i heksadesimal form, for posten foran; tom for den første.',
    'SHA-256 i hexadecimal form, för posten före; tom för den första.',
    'SHA-256 in hexadezimaler Form, vom Eintrag davor; beim ersten leer.',
  ],
  'SHA-256 in hexadecimal, over the hash before it and the entry.': [
    'SHA-256 i heksadesimal form, over hashen foran og posten.',
    'SHA-256 i hexadecimal form, över föregående hash och posten.',
    'SHA-256 in hexadezimaler Form, über den Hash davor und den Eintrag.',
  ],
  'Start of validity; 1900-01-01 when open.': [
    'Gyldig fra; 1900-01-01 når den er åpen.',
    'Giltigt från; 1900-01-01 när det är öppet.',
    'Beginn der Gültigkeit; 1900-01-01, wenn er offen ist.',
  ],
  'The attribute; cannot be changed.': [
    'Attributtet; kan ikke endres.',
    'Attributet; kan inte ändras.',
    'Das Attribut; kann nicht geändert werden.',
  ],
  'The code, for numeric properties; 0 when it is no number.': [
    'Koden, for tallfelter; 0 når den ikke er et tall.',
    'Koden, för talfält; 0 när den inte är ett tal.',
    'Der Code, für Zahlenfelder; 0, wenn er keine Zahl ist.',
  ],
  'The code, for string properties.': ['Koden, for tekstfelter.', 'Koden, för textfält.', 'Der Code, für Textfelder.'],
  'The company that is asked for.': [
    'Selskapet som forespørselen gjelder.',
    'Företaget som begäran gäller.',
    'Das Unternehmen, nach dem gefragt wird.',
  ],
  'The parts of the key below the company, as a JSON array; of refused access the method and the path, of a call the tool.':
    [
      'Delene av nøkkelen under selskapet, som en JSON-liste; ved avvist tilgang metoden og stien, ved et kall verktøyet.',
      'Nyckelns delar under företaget, som en JSON-lista; vid nekad åtkomst metoden och sökvägen, vid ett anrop verktyget.',
      'Die Teile des Schlüssels unterhalb des Unternehmens, als JSON-Liste; bei abgewiesenem Zugriff Methode und Pfad, bei einem Aufruf das Werkzeug.',
    ],
  'The record after the change, as JSON; empty when it is gone.': [
    'Posten etter endringen, som JSON; tom når den er borte.',
    'Posten efter ändringen, som JSON; tom när den är borta.',
    'Der Datensatz nach der Änderung, als JSON; leer, wenn er nicht mehr da ist.',
  ],
  'The record before the change, as JSON; empty when the change made it.': [
    'Posten før endringen, som JSON; tom når endringen opprettet den.',
    'Posten före ändringen, som JSON; tom när ändringen skapade den.',
    'Der Datensatz vor der Änderung, als JSON; leer, wenn sie ihn angelegt hat.',
  ],
  'The service numbers its values.': [
    'Tjenesten nummererer verdiene.',
    'Tjänsten numrerar dess värden.',
    'Der Dienst nummeriert seine Werte.',
  ],
  'The value, when it is an integer; else 0.': [
    'Verdien hvis den er et heltall, ellers 0.',
    'Värdet om det är ett heltal, annars 0.',
    'Der Wert, wenn er eine ganze Zahl ist, sonst 0.',
  ],
  'Today or later; left out, the document type decides.': [
    'I dag eller senere; er feltet tomt, bestemmer dokumenttypen.',
    'I dag eller senare; är fältet tomt bestämmer dokumenttypen.',
    'Heute oder später; ist das Feld leer, entscheidet die Dokumentart.',
  ],
  'What the code means.': ['Hva koden betyr.', 'Vad koden betyder.', 'Was der Code bedeutet.'],
  'What the document is filed by.': [
    'Det dokumentet er arkivert under.',
    'Det som dokumentet är arkiverat under.',
    'Wonach das Dokument abgelegt ist.',
  ],
  'What the document is filed by; which there are, the document type says.': [
    'Det dokumentet arkiveres under; dokumenttypen sier hva som finnes.',
    'Det som dokumentet arkiveras under; dokumenttypen säger vad som finns.',
    'Wonach das Dokument abgelegt wird; was es gibt, sagt die Dokumentart.',
  ],
  'Which kind of record, such as attribute-value; or access, or agent-call.': [
    'Hva slags post, for eksempel attribute-value; eller access (tilgang) eller agent-call (kall fra en agent).',
    'Vilket slags post, till exempel attribute-value; eller access (åtkomst) eller agent-call (anrop från en agent).',
    'Die Art des Datensatzes, zum Beispiel attribute-value; oder access (Zugriff) oder agent-call (Aufruf eines Agenten).',
  ],
  'Whose values own its values.': [
    'Attributtet med verdiene som eier verdiene her.',
    'Attributet vars värden äger värdena här.',
    'Das Attribut, dessen Werte die Werte hier besitzen.',
  ],
  'With an ending.': ['Med endelse.', 'Med ändelse.', 'Mit Endung.'],
  'Within the transaction.': [
    'Nummeret i transaksjonen.',
    'Numret inom transaktionen.',
    'Die Nummer innerhalb der Buchung.',
  ],
  'yyyypp.': ['ååååpp.', 'ååååpp.', 'JJJJPP.'],
  'yyyypp; 0 is open.': ['ååååpp; 0 er åpen.', 'ååååpp; 0 är öppet.', 'JJJJPP; 0 ist offen.'],
  'yyyypp; 209912 is open.': ['ååååpp; 209912 er åpen.', 'ååååpp; 209912 är öppet.', 'JJJJPP; 209912 ist offen.'],
  'yyyypp; 209912, or left out, is open.': [
    'ååååpp; 209912 eller tom er åpen.',
    'ååååpp; 209912 eller tomt är öppet.',
    'JJJJPP; 209912 oder leer ist offen.',
  ],
  'yyyypp; that of today when none is set up.': [
    'ååååpp; dagens periode når ingen er satt opp.',
    'ååååpp; dagens period när ingen är inställd.',
    'JJJJPP; die heutige, wenn keine eingerichtet ist.',
  ],
}
