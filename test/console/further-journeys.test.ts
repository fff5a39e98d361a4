// Further ways through the console, each by the keyboard alone and by touch on a phone: documents, new records, relations,
// integrations, and the service as its administrator sees it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBrowser, startConsole } from '../support/console.ts'
import { PHONE, WAYS } from '../support/console-hands.ts'
import { DEMO_AUTHORIZATION } from '../support/demo.ts'
import { IS_FULL } from '../support/reliability-test.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const isInstalled = ['playwright-core', '@sparticuz/chromium'].every((name) => existsSync(join(modules, name)))

const ALL_LOOKS = [
  ['dark', {}],
  ['light', PHONE],
  ['light', { viewport: { width: 1440, height: 900 } }],
  ['dark', PHONE],
] as const
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** Documents of the short form: some that each client may read, and some that it may not. */
const SHORTLY = ['customers', 'suppliers', 'attribute-values', 'audit-entries']
/** Markup, a mark of direction, and a script: all of it is text. */
const HOSTILE = '<img src=x onerror=alert(1)> \u202e gnp'

describe.skipIf(!isInstalled)('The console, further', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await startConsole(2_000)
  })
  afterAll(() => browser?.stop())

  const at = (page: Page, path: string) => page.goto(`${browser.demo.address}/console${path}`)
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
  /** On a phone, most actions of a page are below one button. */
  const action = async (page: Page, name: string) => {
    const more = page.getByRole('button', { name: 'More', exact: true })
    const wanted = page.getByRole('button', { name, exact: true })
    await wanted.or(more).first().waitFor()
    // The panel of *More* would lie over what stands beside the filters.
    if (name !== 'Add filter' && (await more.isVisible())) {
      // Its panel stays open, and is hidden while the button is scrolled away.
      await more.scrollIntoViewIfNeeded()
      if ((await more.getAttribute('aria-expanded')) !== 'true') await more.click()
    }
    return wanted
  }
  const asked = (path: string, init: RequestInit = {}) =>
    fetch(browser.demo.address + path, { ...init, headers: { ...DEMO_AUTHORIZATION, ...init.headers } })
  const json = async (path: string, init?: RequestInit) =>
    (await (await asked(path, init)).json()) as Record<string, unknown>
  it.each(WAYS)('files a document, finds it by its text, adds a revision and deletes it, %s', async (way, hands) => {
    const page = await browser.open(hands.look)
    await at(page, '/EN/documents')
    const word = `quince${way.replace(/\W/g, '')}`
    await page.getByLabel('Files to be filed').setInputFiles({
      name: 'report.html',
      mimeType: 'text/html',
      buffer: Buffer.from(`<script>document.title = 'run'</script> the ${word} is ripe`),
    })
    const form = page.getByRole('form', { name: 'File report.html' })
    await hands.choose(form.getByLabel('Type'), 'NOTE')
    await hands.write(form.getByLabel('Title'), `${HOSTILE} ${word}`)
    await hands.press(form.getByRole('button', { name: 'File it' }))
    await form.waitFor({ state: 'detached' })
    await expect.poll(async () => (await json(`/v1/documents?companyId=EN&search=${word}`)).total).toBe(1)
    await hands.write(page.getByLabel('Words'), word)
    await expect.poll(() => page.url()).toContain(`search=${word}`)
    const found = page.getByRole('list', { name: 'Documents found' }).getByRole('link')
    await expect.poll(() => found.count()).toBe(1)
    expect(await found.textContent()).toContain('\\u{202E}')
    await hands.press(found)
    const viewer = page.getByRole('region', { name: 'Revision 1' })
    await viewer.locator('mark').filter({ hasText: word }).waitFor()
    expect(await viewer.textContent()).toContain('<script>')
    await hands.press(await action(page, 'Add a revision'))
    const dialog = page.getByRole('dialog', { name: 'Add a revision' })
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'second.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="document.title = 1"/>'),
    })
    await hands.write(dialog.getByLabel('What is new'), 'A drawing')
    await hands.press(dialog.getByRole('button', { name: 'Add it' }))
    await hands.choose(page.getByLabel('Beside it'), '1')
    await page.getByRole('region', { name: 'Revision 2' }).getByText('<svg', { exact: false }).waitFor()
    await page.getByRole('region', { name: 'Revision 1' }).locator('mark').first().waitFor()
    const run = page.getByRole('region', { name: /^Revision/ }).locator('svg, script, iframe, object, embed')
    expect([await run.count(), await page.title()]).toEqual([0, expect.stringContaining('Tabularium')])
    await hands.press(await action(page, 'Delete'))
    await hands.press(page.getByRole('button', { name: 'Delete it' }))
    await heading(page, 'Documents').waitFor()
    expect((await json(`/v1/documents?companyId=EN&search=${word}`)).total).toBe(0)
    await page.context().close()
  })

  it.each(WAYS)('draws a PDF, with its text over it and the hits of the search marked, %s', async (_way, hands) => {
    const page = await browser.open(hands.look)
    const { items } = await json('/v1/documents?companyId=EN&doctype=DRAWING')
    const [{ id }] = items as [{ id: string }]
    await at(page, `/EN/documents/${id}?search=station`)
    await hands.choose(page.getByLabel('Beside it'), '1')
    for (const revision of ['Revision 3', 'Revision 1']) {
      const pdf = page.getByRole('region', { name: revision }).getByRole('region', { name: 'Page 1' })
      await pdf
        .getByText(/Pumping station/)
        .first()
        .waitFor()
      // The hits alone, and not the line that they stand in.
      const hits = async () => new Set((await pdf.locator('mark').allTextContents()).map((hit) => hit.toLowerCase()))
      await expect.poll(hits).toEqual(new Set(['station']))
      // A page of one colour would be one that was not drawn.
      const colours = `new Set(document.querySelector('[aria-label="${revision}"] canvas')
        .getContext('2d').getImageData(0, 0, 400, 300).data).size`
      await expect.poll(() => page.evaluate(colours)).toBeGreaterThan(2)
    }
    await page.context().close()
  })

  it('compares texts of several lines line by line', async () => {
    const { items } = await json('/v1/documents?companyId=EN&doctype=DRAWING')
    const [{ id }] = items as [{ id: string }]
    for (const value of ['one\ntwo\nthree', 'one\n2\nthree']) {
      const body = JSON.stringify([{ op: 'replace', path: '/description', value }])
      const init = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body }
      expect((await asked(`/v1/documents/${id}?companyId=EN`, init)).status).toBe(200)
    }
    const page = await browser.open({ colorScheme: 'dark' })
    await at(page, `/EN/documents/${id}`)
    const latest = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem').first()
    await latest.locator('ins').waitFor()
    expect(await latest.locator('ins, del').allTextContents()).toEqual(['two', '2'])
    const { violations } = await new AxeBuilder({ page }).include('[aria-label=Timeline]').withTags(WCAG).analyze()
    expect(violations.map(({ id: rule }) => rule)).toEqual([])
    await page.context().close()
  })

  it.each(WAYS)('makes a record with what the service asks for, and deletes it, %s', async (way, hands) => {
    const page = await browser.open(hands.look)
    const id = `C${way.length}X1`
    await at(page, '/EN/grid/attribute-values')
    await hands.press(page.getByRole('link', { name: 'New attribute value', exact: true }))
    await heading(page, 'New attribute value').waitFor()
    const field = (name: string) =>
      page
        .locator('input')
        .and(page.getByLabel(new RegExp(`^${name}( \\*)?$`)))
        .first()
    await hands.write(field('Attribute'), 'C1')
    await hands.press(page.getByRole('button', { name: 'Save' }))
    await page.getByText('The “Value” field is required.').first().waitFor()
    await hands.write(field('Value'), id)
    await hands.write(field('Description'), 'Made by the keyboard')
    await hands.press(page.getByRole('button', { name: 'Save' }))
    await heading(page, 'Made by the keyboard').waitFor()
    expect((await json(`/v1/attribute-values/C1/${id}/0?companyId=EN`)).description).toBe('Made by the keyboard')
    await hands.press(page.getByRole('button', { name: 'Delete' }))
    await page.getByRole('dialog', { name: 'Delete this?' }).waitFor()
    await page.keyboard.press('Escape')
    expect((await json(`/v1/attribute-values/C1/${id}/0?companyId=EN`)).status).toBe('N')
    await hands.press(page.getByRole('button', { name: 'Delete' }))
    await hands.press(page.getByRole('button', { name: 'Delete it' }))
    await heading(page, 'Attribute values').waitFor()
    expect((await json(`/v1/attribute-values/C1/${id}/0?companyId=EN`)).status).toBe('C')
    await page.context().close()
  })

  it.each(WAYS)('follows relations two steps far, and to the documents filed there, %s', async (_way, hands) => {
    const page = await browser.open(hands.look)
    await at(page, '/EN/record/attribute-values/C1,3110,0')
    const relations = page.getByRole('region', { name: 'Relations' })
    await relations.getByText(/^One step further/).waitFor()
    await page.getByRole('region', { name: 'Documents filed under it' }).getByRole('link').first().waitFor()
    const link = relations.getByRole('link').first()
    const name = (await link.textContent()) ?? ''
    await hands.press(link)
    await heading(page, name.replace(/^\S+ /, '')).waitFor()
    await page.context().close()
  })

  it.each(WAYS)('tests a subscription, and follows the feed as it comes, %s', async (way, hands) => {
    const page = await browser.open(hands.look)
    const name = `Web shop ${way}`
    const body = JSON.stringify({ url: 'http://localhost:9/hook', name, entities: ['customers'] })
    const type = { 'content-type': 'application/json' }
    expect((await asked('/v1/subscriptions', { method: 'POST', headers: type, body })).status).toBe(201)
    await at(page, '/EN/integrations')
    const one = page.getByRole('article').filter({ hasText: name })
    await hands.press(one.getByRole('button', { name: 'Send a test' }))
    await page.getByText(/The test was not delivered/).waitFor()
    await hands.press(one.getByRole('button', { name: 'Pause' }))
    await one.getByRole('button', { name: 'Resume' }).waitFor()
    const waiting = page.waitForRequest(/\/v1\/changes.*since=(?!now)/)
    await hands.press(page.getByRole('button', { name: 'Follow' }))
    await waiting
    const patch = JSON.stringify([{ op: 'replace', path: '/aliasName', value: `FEED ${way}` }])
    const changed = await asked('/v1/customers/100003?companyId=EN', { method: 'PATCH', headers: type, body: patch })
    expect(changed.status).toBe(200)
    await page
      .getByRole('region', { name: 'Feed of changes' })
      .getByText(/100003/)
      .waitFor()
    await page.context().close()
  })

  it.each(WAYS)('shows an administrator clients, setup and what a file would change, %s', async (_way, hands) => {
    const page = await browser.open(hands.look)
    await asked('/v1/objects/customers?companyId=XX')
    await at(page, '/service?part=clients')
    const client = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'demo', exact: true }) })
    await hands.press(client.getByRole('button', { name: 'Requests' }))
    await client.getByText('GET /v1/objects/customers').first().waitFor()
    await hands.press(page.getByRole('link', { name: 'Setup', exact: true }))
    const setup = page.getByLabel('Setup in force')
    await hands.write(setup, 'version: 1')
    await hands.press(page.getByRole('button', { name: 'Compare' }))
    await page.getByText('Nothing would change.').waitFor()
    await hands.write(setup, 'version: 1\ncompanies: nothing')
    await hands.press(page.getByRole('button', { name: 'Compare' }))
    await page.getByText('The file has faults:').waitFor()
    expect(await page.textContent('main')).not.toContain('scrypt$')
    await page.context().close()
  })

  it.each([
    ['demo', 'demo-secret', 'EN'],
    ['demo-reader', 'reader-secret', 'EN'],
    ['demo-sverige', 'sverige-secret', 'SV'],
  ])('shows %s on each page what the interface answers it, and nothing else', async (client, secret, company) => {
    const page = await browser.open()
    await at(page, '/account')
    await page.evaluate(`sessionStorage.setItem('tabularium.act-as', '${client}')`)
    const headers = { authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}` }
    const count = async (document: string) => {
      const options = document === 'general-ledger-transactions' ? '&posted=true' : ''
      const url = `/v1/objects/${document}?companyId=${company}${options}`
      const answer = await fetch(browser.demo.address + url, { method: 'HEAD', headers })
      return answer.ok ? Number(answer.headers.get('x-erp-total-count')) : undefined
    }
    const all = (await json('/v1/objects')) as unknown as { name: string }[]
    for (const { name } of all.filter(({ name: one }) => IS_FULL || SHORTLY.includes(one))) {
      await at(page, `/${company}/grid/${name}`)
      const expected = await count(name)
      if (expected === undefined) {
        await page.getByRole('main').getByRole('alert').first().waitFor()
        expect(await page.getByRole('grid').count()).toBe(0)
      } else if (expected === 0) {
        await page.getByText('0 rows.').waitFor()
      } else {
        const rows = page.getByRole('grid')
        const shown = async () => {
          const [total, told] = [Number(await rows.getAttribute('aria-rowcount')) - 1, await count(name)]
          // The change log has an entry more, that of who acts as the client, when the page was loaded before it.
          if (total !== told) await page.reload()
          return total === told
        }
        await expect.poll(shown, { message: name, interval: 2_000 }).toBe(true)
      }
    }
    const shown = await page.getByRole('navigation').locator('a[href*="/grid/"]').count()
    expect(shown).toBe(
      ((await (await fetch(`${browser.demo.address}/v1/objects?companyId=${company}`, { headers })).json()) as [])
        .length,
    )
    await page.context().close()
  })

  it.each(WAYS)('finds an operation by its words, and tries it, refusals as well, %s', async (_way, hands) => {
    const page = await browser.open(hands.look)
    await at(page, '/EN/reference')
    await hands.write(page.getByLabel('Search the reference'), 'create customer')
    await hands.press(page.getByRole('link', { name: /POST \/v1\/customers Create/ }))
    const trial = page.getByRole('form', { name: 'Try it' })
    expect(await trial.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await hands.write(trial.getByLabel('validateOnly'), 'true')
    await hands.press(trial.getByRole('button', { name: 'Send' }))
    const answer = trial.getByRole('region', { name: 'Answer' })
    await answer.getByText(/^200 after/).waitFor()
    expect(await answer.textContent()).toContain('Fjordheim Shipyard AS')
    expect((await json('/v1/objects/customers?$filter=customerName eq %27Fjordheim Shipyard AS%27')).length).toBe(0)
    await hands.write(trial.getByLabel('companyId'), 'XX')
    await hands.press(trial.getByRole('button', { name: 'Send' }))
    await answer.getByText(/^403 after/).waitFor()
    await page.context().close()
  })

  it.each(WAYS)('undoes a save at once and in the timeline, but no later change, %s', async (_way, hands) => {
    const page = await browser.open(hands.look)
    const path = '/v1/customers/100021?companyId=EN'
    const alias = async () => (await json(path)).aliasName
    const before = await alias()
    await at(page, '/EN/record/customers/100021/edit')
    await hands.write(page.getByLabel('Alias'), 'ONCE')
    await hands.save(page)
    await hands.press(page.getByRole('status').getByRole('button', { name: 'Undo' }))
    await page.getByText('The change is undone.').waitFor()
    expect(await alias()).toBe(before)
    await hands.press(page.getByRole('region', { name: 'Timeline' }).getByRole('button', { name: 'Undo' }))
    // The timeline has been read anew by then.
    await page.getByText('The change is undone.').nth(1).waitFor()
    expect(await alias()).toBe('ONCE')
    const body = JSON.stringify([{ op: 'replace', path: '/aliasName', value: 'LATER' }])
    await asked(path, { method: 'PATCH', headers: { 'content-type': 'application/json' }, body })
    await hands.press(page.getByRole('region', { name: 'Timeline' }).getByRole('button', { name: 'Undo' }))
    await page.getByText('It cannot be undone: somebody has changed the record since.').waitFor()
    expect(await alias()).toBe('LATER')
    await page.context().close()
  })

  it.each(ALL_LOOKS)('imports without a finding of WCAG 2.2 AA in %s %j', async (colorScheme, size) => {
    const page = await browser.open({ colorScheme, ...size })
    await at(page, '/EN/import/customers')
    await page.getByText('Drop a file here').waitFor()
    const check = async (step: string) => {
      const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze()
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120))}`)
      expect([step, found]).toEqual([step, []])
      expect([step, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([step, true])
    }
    await check('file')
    const buffer = Buffer.from('Customer name;Country\nA;Norge\n;QQ\n')
    await page.getByLabel('File to be imported').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer })
    await page.getByText('What the columns of the file mean').waitFor()
    await check('columns')
    await page.getByRole('button', { name: 'Check the rows' }).click()
    await page.getByRole('region', { name: 'Wrong in every row' }).waitFor()
    await check('rows')
    await page.context().close()
  })

  it.each(ALL_LOOKS)(
    'has no finding of WCAG 2.2 AA in %s %j, nor have its dialogs, and fits its window',
    async (colorScheme, size) => {
      const page = await browser.open({ colorScheme, ...size })
      const { items } = await json('/v1/documents?companyId=EN&doctype=DRAWING')
      const [{ id }] = items as [{ id: string }]
      const pages = [
        ['/EN/documents?search=pump', 'Documents', undefined],
        [`/EN/documents/${id}?search=station`, /Pumping station/, 'Add a revision'],
        ['/EN/record/customers/100002', /./, 'Delete'],
        ['/EN/new/customers', /^New/, 'Add an item to Contact points'],
        ['/EN/integrations', 'Integrations', 'Follow'],
        ['/service', 'Administration', 'New person'],
        ['/EN/reference?operation=POST%20%2Fv1%2Fcustomers', 'Reference', undefined],
        ['/EN/grid/customers', 'Customers', 'Columns'],
        ['/EN/grid/customers', 'Customers', 'Views'],
        ['/EN/grid/customers', 'Customers', 'Add filter'],
        ["/EN/grid/customers?filter=customerName eq 'nobody'", 'Customers', undefined],
        ["/EN/grid/customers?filter=custmerName eq 'nobody'", 'Customers', undefined],
        ['/EN/change/customers', /^Change customers/, undefined],
        ['/EN/balances', 'Balances', undefined],
        ['/EN/record/customers/999999', '999999', undefined],
        ['/EN/nothing/here', 'There is no such page', undefined],
        ...['clients', 'requests', 'webhooks', 'jobs', 'setup', 'backups', 'health'].map(
          (part) => [`/service?part=${part}`, 'Administration', undefined] as const,
        ),
      ] as const
      for (const [path, name, button] of pages) {
        await at(page, path)
        await heading(page, name).waitFor()
        // No page is without a way on.
        await page.getByRole('banner').getByRole('link', { name: 'Tabularium' }).waitFor()
        await page.waitForLoadState(button === 'Follow' ? 'load' : 'networkidle')
        if (button !== undefined) await (await action(page, button)).click()
        const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze()
        const found = violations.map(({ id: rule, nodes }) => `${rule}: ${nodes.map(({ html }) => html.slice(0, 120))}`)
        expect([path, found]).toEqual([path, []])
        expect([path, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([path, true])
      }
      await page.context().close()
    },
  )

  it('asked no other host in all this, and nothing that its policy refuses', () => {
    expect(browser.told).toEqual([])
  })
})
