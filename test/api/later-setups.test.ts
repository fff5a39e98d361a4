// A later setup of a document that has records: what it may change, and what is refused with the records that forbid it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { setupTask } from '../../src/app/setup/setup-task.ts'
import { applySetup, previewSetup } from '../../src/setup/apply/apply-setup.ts'
import { insertRows } from '../support/object-records.ts'
import { onEachStore, startWorld } from '../support/world.ts'

const HASH = 'scrypt$1024$8$1$Zml4dHVyZSBzZWNyZXQgcw==$DCei+LZQYxNZjA1a0XGMZ5IVAru8DX+xW/IG03C3haA='
const PROPERTIES = {
  companyId: '{ type: string }',
  partId: '{ type: string }',
  name: '{ type: string }',
  code: '{ type: string, unique: true }',
  batch: '{ type: string }',
  price: '{ type: decimal, scale: 2 }',
  weight: '{ type: integer }',
  colour: '{ type: string }',
  supplierId: '{ type: string }',
  plan: '{ group: { madeAt: { type: date-time } } }',
  sizes: '{ list: { size: { type: string }, amount: { type: integer } } }',
}

/** The setup with other declarations of some properties; those without one are left out. */
function setup(changes: Record<string, string | undefined> = {}, more = ''): string {
  const properties = Object.entries({ ...PROPERTIES, ...changes }).filter(([, text]) => text !== undefined)
  return `version: 1
companies:
  - id: EN
    name: Example Nordic AS
    attributes: [{ id: CO, name: COLOUR }, { id: PA, name: PART }, { id: TO, name: TOOL, values: { pattern: "[a-z]+" } }]
    attributeValues: { CO: { red: Red } }
    valueLists: { COLOURS: { red: Red, blue: Blue } }
  - { id: SV, name: Example Svenska AB }
documents:
  - name: parts
    key: [companyId, partId]
    ${more}
    properties:
${properties.map(([name, text]) => `      ${name}: ${text}`).join('\n')}
  - { name: suppliers, key: [supplierId], properties: { supplierId: { type: string } } }
  - { name: tools, attributeId: TO, key: [toolId], properties: { toolId: { type: string }, name: { type: string } } }
roles: [{ id: all, apis: { parts: [create, read, update, delete], tools: [create], objects: [read] }, objects: ["*"] }]
users: [{ id: user, defaultCompany: EN, roles: { EN: [all], SV: [all] } }]
clients: [{ id: client, user: user, secretHash: "${HASH}" }]
`
}

const RECORDS = 12
/** A busy machine may take longer than Vitest's second. */
const SOON = { timeout: 120_000 }

onEachStore(
  'A later setup of a document with records',
  (world) => {
    const taskOf = (text: string) => {
      const file = join(world().folder, 'later.yaml')
      writeFileSync(file, text)
      return setupTask(world().application.service.store, file, () => {})
    }
    const apply = (text: string) => applySetup(taskOf(text))
    /** The lines of the refusal, which a dry run tells too; nothing is written. */
    const refusalOf = async (text: string) => {
      const before = await world().dump()
      const message = async (work: Promise<unknown>) => String(await work.catch((error: Error) => error.message))
      const refusal = await message(apply(text))
      expect(await message(previewSetup(taskOf(text)))).toBe(refusal)
      expect(await world().changesSince(before)).toEqual([])
      return refusal.split('\n')
    }
    const part = async (id: string, company = 'EN') =>
      (await world().send({ as: 'client', url: `/v1/parts/${id}?companyId=${company}` })).json

    const [broken, keys] = [
      'document parts: 12 records of company EN would break',
      'p01, p02, p03, p04, p05, p06, p07, p08, p09, p10 and 2 more',
    ]

    it.each([
      ['required', { colour: '{ type: string, required: true }' }, `${broken} colour: required: ${keys}`],
      ['a shorter text', { name: '{ type: string, maxLength: 4 }' }, `${broken} name: maxLength: ${keys}`],
      ['a pattern', { name: '{ type: string, pattern: "[A-Z ]+" }' }, `${broken} name: pattern: ${keys}`],
      ['a minimum', { price: '{ type: decimal, scale: 2, minimum: 100.01 }' }, `${broken} price: range: ${keys}`],
      [
        'a maximum',
        { weight: '{ type: integer, maximum: 0 }' },
        'document parts: 1 record of company EN would break weight: range: p12',
      ],
      [
        'a value list',
        { batch: '{ type: string, legalValues: { valueList: COLOURS } }' },
        `${broken} batch: legalValues: ${keys}`,
      ],
      [
        'values of an attribute',
        { batch: '{ type: string, legalValues: { attributeId: CO } }' },
        `${broken} batch: legalValues: ${keys}`,
      ],
      ['unique', { batch: '{ type: string, unique: true }' }, `${broken} batch: unique: ${keys}`],
      [
        'a reference',
        { supplier: '{ reference: suppliers, key: [supplierId] }' },
        'document parts: 1 record of company EN would break supplier: reference: p12',
      ],
      [
        'a rule of items',
        { sizes: '{ list: { size: { type: string, pattern: "[SM]" }, amount: { type: integer } } }' },
        `${broken} sizes/size: pattern: ${keys}`,
      ],
      [
        'more items of a list',
        { sizes: '{ minItems: 3, list: { size: { type: string }, amount: { type: integer } } }' },
        `${broken} sizes: minItems: ${keys}`,
      ],
      [
        'a new list that is never empty',
        { next: '{ minItems: 1, list: { size: { type: string } } }' },
        `${broken} next: minItems: ${keys}`,
      ],
      [
        'a required date',
        { plan: '{ group: { madeAt: { type: date-time, required: true } } }' },
        `${broken} plan/madeAt: required: ${keys}`,
      ],
      [
        'a new property that is required',
        { next: '{ type: string, required: true }' },
        `${broken} next: required: ${keys}`,
      ],
      [
        'a new number that cannot be 0',
        { next: '{ type: integer, required: true, minimum: 1 }' },
        `${broken} next: range: ${keys}`,
      ],
    ])('cannot declare %s where records break it', async (_what, changes, line) => {
      const lines = await refusalOf(setup(changes))
      const ofOther = lines.filter((one) => one.includes('company SV'))
      expect(lines.filter((one) => !ofOther.includes(one))).toEqual([line])
      for (const one of ofOther)
        expect(one).toMatch(/^document parts: 1 record of company SV would break [\w/]+: \w+: s1$/)
    })

    it('cannot make its records values of an attribute', async () => {
      expect(await refusalOf(setup({}, 'attributeId: PA'))).toEqual([
        `${broken} attributeId PA: ${keys}`,
        'document parts: 1 record of company SV would break attributeId PA: s1',
      ])
    })

    it('is refused with all that records break, at once', async () => {
      const changes = { colour: '{ type: string, required: true }', weight: '{ type: integer, maximum: 0 }' }
      expect((await refusalOf(setup(changes))).filter((line) => line.includes('EN'))).toEqual([
        expect.stringContaining('colour: required'),
        expect.stringContaining('weight: range'),
      ])
    })

    it('may declare rules that all records meet', async () => {
      const { text } = await apply(
        setup({
          name: '{ type: string, required: true, maxLength: 9, pattern: "Part .*" }',
          price: '{ type: decimal, scale: 2, minimum: 99.5, maximum: 100 }',
          sizes:
            '{ list: { size: { type: string, required: true, maxLength: 2 }, amount: { type: integer, minimum: 0 } } }',
        }),
      )
      expect(text).toContain('~ document parts: properties')
      await vi.waitFor(async () => {
        const answer = await world().send({
          as: 'client',
          method: 'POST',
          url: '/v1/parts?validateOnly=true',
          body: { partId: 'new', name: 'X' },
        })
        expect(answer.text).toContain('The field Name must match Part .*.')
      }, SOON)
    })

    it('gives the records there are the default of a new property', async () => {
      await apply(
        setup({
          state: "{ type: string, default: it's new }",
          rate: '{ type: decimal, scale: 3, default: 1.125 }',
          isOpen: '{ type: boolean, default: true }',
          until: '{ type: date-time, default: "2030-01-31" }',
          more: '{ group: { number: { type: integer, default: 7 }, other: { type: string } } }',
          tags: '{ list: { tag: { type: string } } }',
        }),
      )
      const expected = { state: "it's new", rate: 1.125, isOpen: true, more: { number: 7, other: '' }, tags: [] }
      const until = '2030-01-31T00:00:00.000'
      const url = "/v1/objects/parts?companyId=SV&filter=state eq 'it''s new' and rate eq 1.125&select=partId"
      // Each server has the setup at a moment of its own.
      await vi.waitFor(async () => {
        expect(await part('p01')).toMatchObject({ ...expected, until, name: 'Part 01' })
        expect((await world().send({ as: 'client', url })).json).toEqual([{ partId: 's1' }])
      }, SOON)
    })

    it('keeps a record whose key its attribute takes no more: a repeated POST says that it exists (client habits)', async () => {
      await insertRows(world(), 'own_tools', [{ company_id: 'EN', attribute_id: 'TO', tool_id: 'T1', name: 'Saw' }])
      const post = (toolId: string) =>
        world().send({ as: 'client', method: 'POST', url: '/v1/tools', body: { toolId, name: 'Saw' } })
      const [again, other] = [await post('T1'), await post('T2')]
      expect([again.status, again.text]).toEqual([400, expect.stringContaining('tools T1 exists already.')])
      expect([other.status, other.text]).toEqual([422, expect.stringContaining('it must match [a-z]+')])
    })

    it('may lengthen and relax, and leave properties out', async () => {
      await apply(setup({ code: '{ type: string }', colour: undefined }))
      await vi.waitFor(async () => expect(await part('p01')).not.toHaveProperty('colour'), SOON)
      await insertRows(world(), 'own_parts', [{ company_id: 'EN', part_id: 'p13', code: 'c01', name: 'Part 13' }])
      // It comes back with the values that it had, which its rules must allow.
      expect(
        await refusalOf(setup({ colour: '{ type: string, pattern: "[a-z]*" }', code: '{ type: string }' })),
      ).toEqual(['document parts: 1 record of company SV would break colour: pattern: s1'])
      expect(await refusalOf(setup())).toEqual([
        'document parts: 2 records of company EN would break code: unique: p01, p13',
      ])
    })
  },
  async (kind) => {
    const folder = mkdtempSync(join(tmpdir(), 'tabularium-later-'))
    const file = join(folder, 'setup.yaml')
    writeFileSync(file, setup())
    const world = await startWorld(kind, file)
    rmSync(folder, { recursive: true })
    const rows = Array.from({ length: RECORDS }, (_, at) => {
      const no = String(at + 1).padStart(2, '0')
      const isLast = at + 1 === RECORDS
      return {
        company_id: 'EN',
        part_id: `p${no}`,
        name: `Part ${no}`,
        code: `c${no}`,
        batch: 'same',
        price: kind === 'sqlite' ? 10_000 : 100,
        weight: isLast ? 5 : 0,
        supplier_id: isLast ? 'nobody' : '',
        sizes: JSON.stringify([{ size: 'XL', amount: 1 }]),
      }
    })
    const other = { company_id: 'SV', part_id: 's1', name: 'Part SV', code: 'c01', colour: 'BLUE' }
    await insertRows(world, 'own_parts', rows)
    await insertRows(world, 'own_parts', [other])
    return world
  },
)
