// What people call documents and properties, in their language: in the schema of an answer and in the list of documents.
// Programs, which name no language, get the schema without titles.
import { describe, expect, it } from 'vitest'
import type { Schema } from '../../src/http/openapi/document.ts'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const LANGUAGES = ['en', 'nb', 'sv', 'de'] as const

onEachStore(
  'Titles',
  (world) => {
    const ask = async (url: string, language?: string, as = 'every') => {
      const headers = { accept: 'application/schema+json', ...(language && { 'accept-language': language }) }
      return (await world().send({ as, url, headers })).json
    }
    const membersOf = (schema: Schema): Record<string, Schema> =>
      (schema.items as Schema).properties as Record<string, Schema>
    const workOrders = async (language: string) => {
      const schema = await ask('/v1/objects/work-orders', language)
      return { schema, members: membersOf(schema), more: schema.items['x-erp-onRequest'].properties }
    }

    it('are those of the setup in the language of the caller', async () => {
      const { schema, members, more } = await workOrders('de-AT,en;q=0.5')
      expect(schema.title).toBe('Arbeitsaufträge')
      expect(members.orderNo).toMatchObject({ title: 'Auftragsnummer', description: 'Given by the planner.' })
      const budget = { description: 'Ohne Steuer. Genau, mit höchstens 2 Nachkommastellen.' }
      expect([schema.description, more.customer.description]).toEqual(['Arbeit bei einem Kunden.', 'Wer dafür zahlt.'])
      expect(members.plan).toMatchObject({
        title: 'Plan',
        properties: { budget, costCentre: { title: 'Kostenstelle' } },
      })
      expect(more.customer).toMatchObject({
        title: 'Auftraggeber',
        properties: { customerName: { title: 'Kundenname' }, payment: { title: 'Zahlung' } },
      })
      expect(more.hours.items.properties.workedHours.title).toBe('Geleistete Stunden')
    })

    it('are English where they have no other, and then the words of the name', async () => {
      const { schema, members, more } = await workOrders('sv')
      expect([schema.title, members.orderNo?.title, more.hours.title]).toEqual([
        'Work orders',
        'Order number',
        'Timmar',
      ])
      expect(more.hours.items.properties.workedHours.title).toBe('Worked hours')
      expect(members.foremanName?.title).toBe('Foreman name')
    })

    it.each([
      ['nb-NO', 'Kostnadssted'],
      ['nn', 'Kostnadssted'],
      ['no', 'Kostnadssted'],
      ['fr, sv;q=0.9, en;q=0.1', 'Kostnadsställe'],
      ['fr', 'Cost centre'],
    ])('are chosen by Accept-Language: %s', async (language, title) => {
      const { members } = await workOrders(language)
      expect(members.plan).toMatchObject({ properties: { costCentre: { title } } })
    })

    it('name the custom fields of a company', async () => {
      const titles = async (language: string) => {
        const { logistics } = (await ask('/v1/objects/customers?$select=customFieldGroups', language)).items.properties
          .customFieldGroups.properties
        return [logistics.title, logistics.properties.routeNo.title, logistics.properties.deliveryZone.title]
      }
      expect(await titles('no')).toEqual(['Logistics', 'Rutenummer', 'Delivery zone'])
      expect(await titles('de')).toEqual(['Logistik', 'Route number', 'Delivery zone'])
    })

    it('name the value lists of a company, and say what they mean', async () => {
      const noteIn = async (language?: string) =>
        membersOf(await ask('/v1/objects/work-orders', language)).priority?.['x-erp-valueList']
      const words = { title: 'Dringlichkeit', description: 'Wie lange es warten kann.' }
      expect(await noteIn('de')).toEqual({ valueList: 'PRIORITY', ...words })
      const stateIn = async (language?: string) =>
        membersOf(await ask('/v1/objects/general-ledger-transactions?posted=true', language)).state?.[
          'x-erp-codeTitles'
        ]
      expect(await stateIn('nb')).toEqual({ registered: 'Registrert', posted: 'Bokf\u00f8rt', historical: 'Historisk' })
      expect(await stateIn()).toBeUndefined()
      expect((await noteIn('sv')) as object).toMatchObject({ title: 'Priority' })
      expect(await noteIn()).toEqual({ valueList: 'PRIORITY' })
      const { members } = await workOrders('en')
      expect(members.salutation?.['x-erp-valueList']).toEqual({ valueList: 'PLAIN' })
      const listed = "/v1/objects/value-list?$select=name,description,title&$filter=name in ('PRIORITY','PLAIN')"
      const rows = (await world().send({ as: 'every', url: listed, headers: { 'accept-language': 'de' } })).json
      expect(rows.map(({ description, title }: Record<string, string>) => `${description}: ${title}`).sort()).toEqual([
        'H: High',
        'H: Hoch',
        'codes: Any',
        'codes: Of a person',
        'title: Of nobility',
      ])
    })

    it('stand beside what a new record needs', async () => {
      const { items } = await ask('/v1/objects/customers', 'en')
      const needed = (members: object) =>
        Object.entries(members as Record<string, Schema>).flatMap(([name, one]) =>
          one['x-erp-required'] ? [name] : [],
        )
      expect(needed(items.properties)).toEqual(['customerName', 'countryCode', 'customerGroupId'])
      const more = items['x-erp-onRequest'].properties
      expect(needed(more)).toEqual(['contactPoints'])
      const { status, expiryDate } = items.properties.payment.properties
      expect([status.default, expiryDate.default]).toEqual(['Active', '2099-12-31T00:00:00.000Z'])
      const { members } = await workOrders('en')
      expect([members.isBilled?.default, members.isClosed?.default]).toEqual([true, undefined])
      expect(needed(more.contactPoints.items.properties)).toEqual(['contactPointType'])
      expect(needed(more.customFieldGroups.properties.logistics.properties)).toEqual(['deliveryZone'])
    })

    it('are in the list of documents, and English there for programs', async () => {
      const titlesIn = async (language?: string) => {
        const list = (await ask('/v1/objects', language)) as { name: string; title: string }[]
        return ['work-orders', 'general-ledger-transactions'].map(
          (name) => list.find((one) => one.name === name)?.title,
        )
      }
      expect(await titlesIn()).toEqual(['Work orders', 'General ledger'])
      expect((await ask('/v1/objects/customers', 'de')).description).toBe('Die Kunden eines Unternehmens.')
      expect(await titlesIn('de')).toEqual(['Arbeitsaufträge', 'Hauptbuch'])
    })

    it.each([undefined, '*'])(
      'are not told to programs, whose schema is as it was (Accept-Language: %s)',
      async (language) => {
        const schema = await ask('/v1/objects/work-orders', language)
        expect(schema.title).toBe('work-orders')
        expect(JSON.stringify(schema.items)).not.toContain('"title":')
        expect(schema.items).not.toHaveProperty('x-erp-defaultColumns')
      },
    )

    it('stand beside the columns to begin with, without those that the caller does not see, and what is summed', async () => {
      const itemsFor = async (as: string) => (await ask('/v1/objects/work-orders', 'en', as)).items
      const columnsOf = async (as: string) => (await itemsFor(as))['x-erp-defaultColumns']
      const seen = ['orderNo', 'plan/costCentre', 'customer/customerName']
      expect(await columnsOf('every')).toEqual([...seen, 'customer/payment/bankAccount'])
      expect(await columnsOf('planner')).toEqual(seen)
      const items = await itemsFor('every')
      expect(items['x-erp-sums']).toEqual(['plan/budget'])
      expect(items['x-erp-voucher']).toEqual({ number: 'foremanName', balance: 'plan/budget' })
      const planned = await itemsFor('planner')
      expect([planned['x-erp-sums'], planned['x-erp-voucher']]).toEqual([undefined, { number: 'foremanName' }])
      const ledger = await ask('/v1/objects/general-ledger-transactions?posted=true', 'en')
      expect(ledger.items['x-erp-voucher']).toEqual({ number: 'transactionNumber', balance: 'amounts/amount' })
      expect(items['x-erp-onRequest'].properties.customer['x-erp-key']).toEqual({ keys: 'companyId,customerId' })
    })

    it('stand beside what a form begins with: the contact point and the relations that the setup demands', async () => {
      const listsOf = async (language?: string) => {
        const { items } = await ask('/v1/objects/customers?$select=contactPoints,relatedValues', language)
        return items.properties as Record<string, Schema>
      }
      const { contactPoints, relatedValues } = await listsOf('en')
      expect(contactPoints?.['x-erp-firstItem']).toEqual({ contactPointType: '1' })
      const legal = { relationId: 'LEGALID', relationName: 'Legal entity', attributeId: 'LI', isMandatory: true }
      expect(relatedValues?.['x-erp-relations']).toEqual([{ ...legal, title: 'Legal unit', description: 'Who signs.' }])
      const german = (await listsOf('de')).relatedValues
      expect(german?.['x-erp-relations']).toEqual([
        { ...legal, title: 'Rechtliche Einheit', description: 'Wer unterschreibt.' },
      ])
      const plain = await listsOf()
      expect(plain.contactPoints).not.toHaveProperty('x-erp-firstItem')
      expect(plain.relatedValues).not.toHaveProperty('x-erp-relations')
    })

    it('are the headings of a file for Excel, with their names where two are called the same', async () => {
      const headings = async (language?: string, select = 'orderNo,customer(customerName),plan,hours') => {
        const headers: Record<string, string> = language === undefined ? {} : { 'accept-language': language }
        const url = `/v1/objects/work-orders?$select=${select}&$format=excel`
        return (await world().send({ as: 'every', url, headers })).text.replace('\ufeff', '').trimEnd()
      }
      expect(await headings('de')).toBe(
        'Auftragsnummer;Auftraggeber / Kundenname;Plan / Budget;Plan / Kostenstelle;Hours',
      )
      expect(await headings('en')).toBe(
        'Order number,Ordered by / Customer name,Plan / Budget,Plan / Cost centre,Hours',
      )
      expect(await headings(undefined, 'orderNo,plan(budget)')).toBe('orderNo,plan.budget')
      const customers = await world().send({
        as: 'every',
        url: '/v1/objects/customers?$select=payment(status[C;T])&$format=excel',
        headers: { 'accept-language': 'nb' },
      })
      expect(customers.text).toBe('\ufeffBetaling / Status;Betaling / Status (tekst)\r\n')
      const groups = '/v1/objects/work-orders?$groupby=plan/costCentre&$aggregate=count() as number&$format=excel'
      const grouped = await world().send({ as: 'every', url: groups, headers: { 'accept-language': 'sv' } })
      expect(grouped.text.split('\r\n')[0]).toBe('\ufeffPlan / Kostnadsst\u00e4lle;Nummer')
    })

    it('are labels in the metadata of OData for those who name a language, in XML and JSON', async () => {
      const metadata = async (language?: string, accept = 'application/xml') => {
        const headers = { accept, ...(language && { 'accept-language': language }) }
        return (await world().send({ as: 'every', url: '/odata/v4/EN/$metadata', headers })).text
      }
      const xml = await metadata('de')
      const label = 'Annotation Term="com.sap.vocabularies.Common.v1.Label" String'
      for (const title of ['Arbeitsauftr\u00e4ge', 'Auftragsnummer', 'Auftraggeber', 'Kostenstelle', 'Status (Text)'])
        expect(xml).toContain(`<${label}="${title}"/>`)
      expect(xml).toContain(`<${label}="Kunden / Kontaktpunkte"/>`)
      expect(xml).toContain('Core.V1.Description" String="Die Nummer des Belegs."/>')
      expect(xml).toContain('Core.V1.Description" String="Ohne Steuer."/>')
      expect(await metadata()).not.toContain('Common.v1')
      expect(await metadata()).toContain('Core.V1.Description" String="Without tax."/>')
      expect(await metadata()).toContain('Core.V1.Description" String="Of the voucher."/>')
      const { Tabularium, $Reference } = JSON.parse(await metadata('nb', 'application/json'))
      expect(Tabularium.customers.customerName).toMatchObject({ '@com.sap.vocabularies.Common.v1.Label': 'Kundenavn' })
      expect(Object.keys($Reference)).toHaveLength(3)
    })

    it('are in the description of the interface for those who name a language that all is titled in', async () => {
      const described = async (language?: string) => {
        const headers: Record<string, string> = language === undefined ? {} : { 'accept-language': language }
        const answer = await world().send({ as: 'every', url: '/openapi.json', headers })
        return { schemas: answer.json.components.schemas, vary: answer.headers.vary }
      }
      const exact = (said: string) => `${said} Genau, mit höchstens 2 Nachkommastellen.`
      const { schemas, vary } = await described('fr, de;q=0.5')
      expect(vary).toContain('accept-language')
      expect(schemas.WorkOrdersDocument.properties).toMatchObject({
        orderNo: { title: 'Auftragsnummer' },
        plan: { properties: { costCentre: { title: 'Kostenstelle' }, budget: { description: exact('Ohne Steuer.') } } },
        customer: { description: 'Wer dafür zahlt.' },
      })
      expect(schemas.WorkOrdersDocument.description).toBe('Arbeit bei einem Kunden.')
      expect(schemas.CustomerInput.properties.payment.properties.bankAccount.title).toBe('Bankkonto')
      expect(schemas.ContactPoint.properties.contactPointType.title).toBe('Adressart')
      expect(schemas.CustomersDocument.properties['countryCode(description)'].title).toBe('Land (Text)')
      const bySaid = (said: string) => ({ description: said })
      expect(schemas.Customer.properties).toMatchObject({
        customerId: bySaid(
          'Leer, wenn das Unternehmen seine Kunden selbst nummeriert; kann nicht ge\u00e4ndert werden.',
        ),
        contactPoints: bySaid('Mindestens einer der allgemeinen Art.'),
      })
      // Its members are no record's.
      expect(schemas.SubscriptionState.properties.url).not.toHaveProperty('title')
      for (const language of [undefined, 'fr'])
        expect((await described(language)).schemas.CustomerInput.properties.customerName).not.toHaveProperty('title')
    })

    describe('in messages', () => {
      const send = (sent: Sent, language?: string) =>
        world().send({
          as: 'clerk',
          ...sent,
          headers: { ...(language === undefined ? {} : { 'accept-language': language }), ...sent.headers },
        })
      const customer: Sent = {
        method: 'POST',
        url: '/v1/customers?validateOnly=true',
        body: { payment: { status: 'odd' } },
      }

      it('are not there without a language, and for one that nobody speaks: the contract has its sentences', async () => {
        const none = await send(customer)
        const { customerName } = none.json.notificationMessages
        expect(customerName).toEqual([{ code: 1010, message: 'The CustomerName field is required.' }])
        for (const language of ['*', 'fr', 'en', 'en-GB,en;q=0.9,de;q=0.5'])
          expect((await send(customer, language)).text).toBe(none.text)
        expect(none.headers).not.toHaveProperty('content-language')
      })

      it('translate each of several wrong options', async () => {
        const { json } = await send({ url: '/v1/objects/customers?limit=-5&offset=-1' }, 'nb')
        expect(json.message).toBe(
          'Maks. antall er ugyldig. Verdien må være større enn 0. Startposisjonen er ugyldig. Verdien må være 0 eller større.',
        )
      })

      it.each([
        ['nb-NO,nb;q=0.9,en;q=0.8', 'Feltet «Kundenavn» må fylles ut.', 'Ugyldig verdi.'],
        ['sv', 'Fältet ”Kundnamn” måste fyllas i.', 'Ogiltigt värde.'],
        ['fr, de;q=0.5', 'Das Feld „Kundenname“ muss ausgefüllt werden.', 'Ungültiger Wert.'],
      ])('stand in sentences of the language: %s', async (language, required, illegal) => {
        const { json, status, headers } = await send(customer, language)
        expect(status).toBe(422)
        expect(json.notificationMessages.customerName).toEqual([{ code: 1010, message: required }])
        expect(json.payment.notificationMessages.status).toEqual([{ code: 3010, message: illegal }])
        const plain = (await send(customer)).json
        // Names of members and codes are those of all languages.
        expect(Object.keys(json.notificationMessages)).toEqual(Object.keys(plain.notificationMessages))
        expect(headers.vary).toContain('x-erp-language')
      })

      it('follow X-ERP-Language before Accept-Language, as those of schemas do', async () => {
        const own = { 'x-erp-language': 'DE' }
        const { json, headers } = await send({ ...customer, headers: own }, 'nb')
        expect(json.payment.notificationMessages.status[0].message).toBe('Ungültiger Wert.')
        expect(headers['content-language']).toBe('de')
        const url = '/v1/objects/customers?$select=customerName'
        const titled = await send({ ...customer, headers: { 'x-erp-language': 'en-GB, de' } }, 'nb')
        const required = 'The “Customer name” field is required.'
        expect(titled.json.notificationMessages.customerName).toEqual([{ code: 1010, message: required }])
        expect(titled.headers['content-language']).toBe('en')
        const schema = (language: string) =>
          send({ url, headers: { accept: 'application/schema+json', 'x-erp-language': language } })
        expect([(await schema('de')).json.title, (await schema('sv')).json.title]).toEqual(['Kunden', 'Kunder'])
      })

      it('are those of the setup, and told of each mistake', async () => {
        const body = { orderNo: { a: 1 }, plan: { budget: 'x' }, hours: 1 }
        const { json, status } = await send({ method: 'POST', url: '/v1/work-orders?validateOnly=true', body }, 'de')
        const [order, budget, hours] = ['Auftragsnummer', 'Budget', 'Hours']
        expect([status, json.code]).toEqual([400, 1010])
        const sentences = [`„${order}“ muss ein Text`, `„${budget}“ muss eine Zahl`, `„${hours}“ muss eine Liste`]
        expect(json.message).toBe(sentences.map((one) => `Das Feld ${one} sein.`).join(' '))
      })

      it('are in refusals of addresses, of OData, and of requests in a batch', async () => {
        const found = { url: '/v1/customers/nobody' }
        const missing = 'Der Datensatz mit dem Schlüssel [Unternehmen: EN, Kunde: nobody] wurde nicht gefunden.'
        expect((await send(found, 'de')).json).toEqual({ code: 1040, message: missing })
        const nowhere = await send({ url: '/v1/nowhere' }, 'sv')
        expect(nowhere.json).toEqual({ code: 1030, message: 'Adressen ”/v1/nowhere” finns inte.' })
        const odata = await send({ url: "/odata/v4/EN/customers?$filter=nothing eq 'a'" }, 'nb')
        expect(odata.json.error.message).toMatch(/^Ukjent felt «nothing» i posisjon 0 av \$filter/)
        const requests = [{ id: '1', method: 'GET', url: '/v1/customers/nobody' }]
        const batch = await send({ method: 'POST', url: '/v1/batch', body: { requests } }, 'de')
        expect(batch.json.responses[0].body.message).toBe(missing)
      })
    })

    it('of built-in documents are in the table for every property, in all four languages, as descriptions are', async () => {
      const list = (await ask('/v1/objects')) as { name: string }[]
      const untitled: string[] = []
      const undescribed: string[] = []
      const walk = (path: string, members: Record<string, Schema>, others: Record<string, Schema>[]) => {
        for (const [name, one] of Object.entries(members)) {
          if (name.includes('(') || path.endsWith('customFieldGroups') || one['x-erp-document'] !== undefined) continue
          const all = others.map((other) => other[name]?.title)
          const said = [one, ...others.map((other) => other[name])].map((each) => each?.description)
          if (one.description !== undefined && new Set(said).size === 1 && one.description !== 'Base64.')
            undescribed.push(`${path}/${name}: ${one.description}`)
          // A name of one word may be its own English title; no fallback has a German one.
          if (new Set([one.title, ...all]).size === 1 && !SAME.includes(String(one.title)))
            untitled.push(`${path}/${name}`)
          const inside = (schema: Schema | undefined) =>
            ((schema?.items ?? schema) as Schema | undefined)?.properties as Record<string, Schema>
          if (inside(one))
            walk(
              `${path}/${name}`,
              inside(one),
              others.map((other) => inside(other[name])),
            )
        }
      }
      for (const { name } of list.filter(({ name }) => name !== 'work-orders')) {
        const path = `/v1/objects/${name}${name.startsWith('general') ? '?posted=true' : ''}`
        const [first, ...others] = await Promise.all(LANGUAGES.map((language) => ask(path, language)))
        walk(name, membersOf(first), others.map(membersOf))
        const onRequest = (schema: Schema) => (schema.items as Schema)['x-erp-onRequest'] as Schema | undefined
        const more = (schema: Schema) => (onRequest(schema)?.properties ?? {}) as Record<string, Schema>
        walk(name, more(first), others.map(more))
      }
      expect(list.length).toBeGreaterThan(8)
      expect(untitled).toEqual([])
      expect(undescribed).toEqual([])
    })

    it('of schemas in the description of the interface have descriptions in all four languages', async () => {
      const schemasIn = async (language: string) => {
        const headers = { 'accept-language': language }
        return (await world().send({ as: 'every', url: '/openapi.json', headers })).json.components.schemas
      }
      const [english, ...others] = await Promise.all(LANGUAGES.map(schemasIn))
      const said = (schemas: Record<string, Schema>) =>
        Object.entries(schemas).flatMap(([schema, { properties = {} }]) =>
          Object.entries(properties as Record<string, Schema>).map(
            ([name, { title, description }]) => [`${schema}.${name}`, title, description] as const,
          ),
        )
      const translated = others.map((schemas) => new Map(said(schemas).map(([name, , text]) => [name, text])))
      const englishOnly = said(english).filter(
        ([name, title, text]) =>
          title !== undefined && text !== undefined && translated.some((texts) => texts.get(name) === text),
      )
      const ofSetups = ['Given by the planner.', 'Who pays for it.', 'Base64.']
      expect(englishOnly.filter(([, , text]) => !ofSetups.includes(String(text)))).toEqual([])
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/titles.yaml'),
)

/** Words that are the same in all four languages. */
const SAME = ['GTIN', 'Hash', 'Status']
