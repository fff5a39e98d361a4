// Journeys of administrators, and of everybody through what is his or her own.
import { expect } from 'vitest'
import { button, goTo, goToPart, heading, type Journey, readingIn, replaced, seek } from './walk.ts'

export const ADMINISTRATION_JOURNEYS: Readonly<Record<string, Journey>> = {
  'adds a person with a role': async (walk) => {
    const { page, steps, t, way } = walk
    await goToPart(walk, 'People')
    await steps.click(button(walk, 'New person'))
    await page
      .locator(':focus')
      .and(page.getByLabel(t('Name'), { exact: true }))
      .waitFor()
    await steps.type(`Kari ${way}`)
    await steps.press('Tab')
    await steps.type(`kari.${way}`)
    await steps.click(page.getByRole('group', { name: 'Example Nordic AS' }).getByLabel('reader'))
    await steps.press('Enter')
    expect(await page.getByRole('dialog').locator('code').textContent()).toMatch(/.{20}/)
  },
  'gives a program a new secret': async (walk) => {
    const { page, steps, t } = walk
    await goToPart(walk, 'Clients')
    const client = page.getByRole('article', { name: 'demo-reader', exact: true })
    await steps.click(client.getByRole('button', { name: t('New secret') }))
    await page
      .locator(':focus')
      .and(page.getByLabel(t('The secret before is accepted')))
      .waitFor()
    await steps.click(button(walk, 'Make a new secret'))
    expect(await page.getByRole('dialog').locator('code').textContent()).toMatch(/.{20}/)
  },
  'makes a webhook, sees why it fails, and pauses it': async (walk) => {
    const { page, steps, t, way } = walk
    await goTo(walk, t('Integrations'))
    await steps.click(button(walk, 'New webhook'))
    await page
      .locator(':focus')
      .and(page.getByRole('textbox', { name: t('Name'), exact: true }))
      .waitFor()
    await steps.type(`Web shop ${way}`)
    await steps.press('Tab')
    await steps.type('http://localhost:9/hook')
    await page.getByRole('group', { name: t('Changes of') }).waitFor()
    await steps.press('Enter')
    expect(await page.getByRole('dialog').locator('code').textContent()).toMatch(/^whsec_.{40}/)
    await steps.press('Escape')
    await replaced(walk, '/v1/customers/100007', { '/aliasName': `Told ${way}` })
    const one = page.getByRole('article').filter({ hasText: `Web shop ${way}` })
    await steps.click(one.getByRole('button', { name: t('Deliveries') }))
    await one.getByText(t('No connection')).first().waitFor()
    await steps.click(one.getByRole('button', { name: t('Pause') }))
    await one.getByRole('button', { name: t('Resume') }).waitFor()
  },
  'takes a backup': async (walk) => {
    const { page, steps } = walk
    await goToPart(walk, 'Backups')
    const last = page.getByRole('definition').nth(1)
    const before = await last.textContent()
    await steps.click(button(walk, 'Take a backup'))
    await expect.poll(() => last.textContent()).not.toBe(before)
  },
  'checks a setup file, and applies it': async (walk) => {
    const { page, steps, t, way } = walk
    await goToPart(walk, 'Setup')
    const role = `version: 1\nroles:\n  - { id: auditor-${way}, apis: { objects: [read] }, objects: [customers] }\n`
    const file = { name: 'roles.yaml', mimeType: 'application/yaml', buffer: Buffer.from(role) }
    await steps.attach(button(walk, 'Open a file'), file)
    await steps.click(button(walk, 'Compare'))
    await page.getByText(t('What would change:')).waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: `${t('Role')} auditor-${way}` })
      .waitFor()
    await steps.click(button(walk, 'Apply these changes'))
    await page.getByText(t('The setup is in force.')).waitFor()
  },
  'changes the language': async (walk) => {
    const { page, steps, t, language } = walk
    const [wanted, chosen] = language === 'sv' ? (['Deutsch', 'de'] as const) : (['Svenska', 'sv'] as const)
    if (steps.isKeyboard) {
      const title = t('Change the language: {{language}}', { language: wanted })
      await seek(walk, title.slice(0, 7))
      await steps.pick(page.getByRole('option', { name: title }))
    } else {
      await steps.click(page.getByRole('button', { name: new RegExp(`^${t('Account of {{name}}', { name: '' })}`) }))
      await steps.click(page.getByRole('menuitem', { name: wanted }))
    }
    await heading(page, 'Example Nordic AS')
    const home = (await readingIn(chosen, new URL(page.url()).origin)).t('Home')
    await page.locator(`a[href$="/console/EN"]`).filter({ hasText: home }).first().waitFor({ state: 'attached' })
  },
}
