// The full-text search of the list: the descriptive fields of a document, and the text of its newest file.
import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { companyWord } from '../../src/sql/dialect.ts'
import {
  base64,
  create,
  DOCUMENTS,
  invoiceOf,
  noteOf,
  onEachArchive,
  PNG,
  revise,
  urlOf,
} from '../support/documents.ts'
import { longIt } from '../support/reliability-test.ts'
import { soon } from '../support/soon.ts'

/** The processes of this one that read files. */
function readingProcesses(): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return all.map(Number).filter((pid) => {
    try {
      const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      return Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('job-process')
    } catch {
      return false
    }
  })
}

onEachArchive('The search of documents', (world) => {
  /** The titles that are found, newest first. */
  async function found(search: string, more = '', as = 'integration'): Promise<string[]> {
    const answer = await world().send({ as, url: `${DOCUMENTS}?search=${encodeURIComponent(search)}${more}` })
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
    const titles = answer.json.items.map(({ title }: { title: string }) => title)
    if (more === '') expect(answer.json).toMatchObject({ count: titles.length, total: titles.length })
    return titles
  }
  const patch = (id: string, path: string, value: unknown) =>
    world().send({ as: 'integration', method: 'PATCH', url: urlOf(id), body: [{ op: 'replace', path, value }] })

  describe('finds', () => {
    beforeAll(async () => {
      const indexes = [
        { sequenceNo: 1, indexValue: 'CC200' },
        { sequenceNo: 2, indexValue: 'AX-99/2031' },
        { sequenceNo: 3, indexValue: 'Forwarded \u00e0 Paris' },
      ]
      const lines = { description: 'Wood panels, 12 pieces', indexes, fileName: 'scan_zebra.pdf' }
      await create(world(), invoiceOf('Delivery for Nordfjord', lines))
      await create(world(), noteOf('R\u00e9sum\u00e9 \u00c5SA Stra\u00dfe', { fileName: 'vitae.txt' }))
      await world().application.texts.settle()
    })

    it.each([
      ['a word of the title', 'nordfjord'],
      ['a word of the description', 'panels'],
      ['a number of it', '12'],
      ['an index value', 'cc200'],
      ['parts of an index value', '99 ax 2031'],
      ['a word of an index value, without its accent', 'a paris'],
      ['the file name', 'scan zebra pdf'],
      ['several words of different places, in any order', 'zebra wood CC200 delivery'],
      ['the beginning of a word', 'nordf*'],
      ['several beginnings', 'deliv* pan* ze*'],
      ['words between any signs', '"wood", (panels) - delivery:'],
      ['the same word twice', 'wood WOOD wood*'],
    ])('%s', async (_name, search) => {
      expect(await found(search)).toEqual(['Delivery for Nordfjord'])
    })

    it.each([
      'strasse',
      'STRASSE',
      'resume',
      'R\u00c9SUM\u00c9',
      're\u0301sume\u0301',
      'asa',
      '\u00e5sa',
      'stra\u00dfe',
      'RES*',
      'vitae',
    ])('letters in any case, with accents or without: %s', async (search) => {
      expect(await found(search)).toEqual(['R\u00e9sum\u00e9 \u00c5SA Stra\u00dfe'])
    })

    it.each([
      ['one word of several is missing', 'nordfjord penguin'],
      ['it is only the middle of a word', 'fjord'],
      ['it is only the beginning of a word', 'nordf'],
      ['the words are of two documents', 'nordfjord resume'],
      ['it stands for the company', '\u00a7'],
    ])('nothing when %s', async (_name, search) => {
      expect(await found(search)).toEqual([])
    })

    it.each(['.', '*', '" "', '***', '- : ( ) ^ ~', '\u00a7 \ud83d\ude00', '%'])(
      'nothing by signs alone: %s',
      async (search) => {
        expect(await found(search)).toEqual([])
      },
    )

    it('everything without a search term', async () => {
      const { json: all } = await world().send({ as: 'integration', url: DOCUMENTS })
      const { json: empty } = await world().send({ as: 'integration', url: `${DOCUMENTS}?search=` })
      expect(empty).toEqual(all)
    })

    it('with the other parameters, which must all match', async () => {
      expect(await found('wood', '&doctype=INVOICE')).toEqual(['Delivery for Nordfjord'])
      expect(await found('wood', '&doctype=NOTE')).toEqual([])
      expect(await found('wood', '&title=deli')).toEqual(['Delivery for Nordfjord'])
      expect(await found('wood', '&indexes=cc200')).toEqual(['Delivery for Nordfjord'])
      expect(await found('wood', '&indexes=cc300')).toEqual([])
    })
  })

  it.each([
    '"wood',
    'wood AND',
    'wood OR zzz',
    'NOT wood',
    'NEAR(wood panels, 2)',
    'words:wood',
    'wood -panels',
    'wood + panels',
    '^wood',
    "wood' or '1'='1",
    "'; drop table document; --",
    'wood:* & !panels | (x)',
    '\\',
    "wood\\' :*",
    '{wood}',
    'a* b* c* d* e* f*',
  ])('takes no sign for more than what parts words: %s', async (search) => {
    const answer = await world().send({ as: 'integration', url: `${DOCUMENTS}?search=${encodeURIComponent(search)}` })
    expect([answer.status, answer.json.total >= 0]).toEqual([200, true])
  })

  it('takes at most 255 characters', async () => {
    expect(await found('z'.repeat(255))).toEqual([])
    expect(await found('z '.repeat(127))).toEqual([])
    expect(await found('q* '.repeat(85))).toEqual([])
    const answer = await world().send({ as: 'integration', url: `${DOCUMENTS}?search=${'z'.repeat(256)}` })
    expect([answer.status, answer.json.code]).toEqual([400, 1010])
  })

  it('refuses NUL, and half of a surrogate pair', async () => {
    for (const search of ['a%00b', 'a%ED%A0%80b']) {
      const answer = await world().send({ as: 'integration', url: `${DOCUMENTS}?search=${search}` })
      expect([answer.status, answer.json.code]).toEqual([400, 1010])
    }
  })

  describe('knows the text of a file', () => {
    it.each([
      ['of a text', 'a.txt', Buffer.from('Kr\u00e4henfu\u00df and quagga1')],
      ['of a PDF', 'a.pdf', readFileSync('test/fixtures/texts/searched.pdf')],
      ['of a Word document', 'a.docx', readFileSync('test/fixtures/texts/searched.docx')],
    ])('%s', async (_name, fileName, content) => {
      const made = await create(world(), noteOf(`File ${fileName}`, { fileName, fileContent: base64(content) }))
      await world().application.texts.settle()
      const word = `quagga${['a.txt', 'a.pdf', 'a.docx'].indexOf(fileName) + 1}`
      expect(await found(word)).toEqual([made.title])
      expect(await found(`krahenfu\u00df ${word.slice(0, -1)}* file`)).toContain(made.title)
    })

    it('not of one that has none', async () => {
      await create(world(), noteOf('Picture', { fileName: 'p.png', fileContent: base64(PNG) }))
      await world().application.texts.settle()
      expect(await found('picture')).toEqual(['Picture'])
    })

    it('of its newest revision alone, but the names of all', async () => {
      const old = { fileName: 'platypus.txt', fileContent: base64('echidna') }
      const { id } = await create(world(), noteOf('Revised', old))
      await world().application.texts.settle()
      expect(await found('echidna')).toEqual(['Revised'])
      await revise(world(), id, { fileName: 'wombat.txt', fileContent: base64('numbat') })
      expect(await found('echidna')).toEqual([])
      await world().application.texts.settle()
      expect(await found('echidna')).toEqual([])
      expect(await found('numbat')).toEqual(['Revised'])
      expect(await found('platypus wombat numbat')).toEqual(['Revised'])
      await revise(world(), id, { fileName: 'scan.png', fileContent: base64(PNG) })
      await world().application.texts.settle()
      expect(await found('numbat')).toEqual([])
      expect(await found('platypus wombat scan')).toEqual(['Revised'])
    })

    it('of the newest of many that come at once', async () => {
      const { id } = await create(world(), noteOf('Hurried'))
      const texts = Array.from({ length: 6 }, (_one, at) => `hurry${at}word`)
      const made = await Promise.all(texts.map((text) => revise(world(), id, { fileContent: base64(text) })))
      await world().application.texts.settle()
      const newest = made.find(({ revisionNo }) => revisionNo === 7)
      const [text = ''] = texts.filter((one) => base64(one) === newest.fileContent)
      expect(await found('hurry*')).toEqual(['Hurried'])
      expect(await found(text)).toEqual(['Hurried'])
      for (const other of texts) if (other !== text) expect(await found(other)).toEqual([])
    })

    it('up to 20,000 different words', async () => {
      const words = Array.from({ length: 20_001 }, (_one, at) => `many${at}`)
      await create(world(), noteOf('Wordy', { fileContent: base64(words.join(' ')) }))
      await world().application.texts.settle()
      expect(await found('wordy many0 many19000')).toEqual(['Wordy'])
      expect(await found('many20000')).toEqual([])
    })

    longIt('up to a megabyte of words, however long they are', async () => {
      const words = Array.from({ length: 15_000 }, (_one, at) => `${'\u0436'.repeat(55)}${at + 10_000}`)
      const { id } = await create(world(), noteOf('Long words', { fileContent: base64(words.join(' ')) }))
      await world().application.texts.settle()
      expect(await found(`${words[0]} long`)).toEqual(['Long words'])
      expect(await found(words[5_000] ?? '')).toEqual(['Long words'])
      expect(await found(words[14_999] ?? '')).toEqual([])
      expect((await patch(id, '/title', 'Longer words')).status).toBe(200)
      expect(await found(`${words[5_000]} longer`)).toEqual(['Longer words'])
    })

    it('with words that are longer than any', async () => {
      const long = `${'q'.repeat(100)}end`
      await create(world(), noteOf('Endless', { description: long }))
      expect(await found(long)).toEqual(['Endless'])
      expect(await found('qqqq*')).toEqual(['Endless'])
      expect(await found('qqqq')).toEqual([])
    })
  })

  it('follows every change of what describes a document, and keeps the text of the file', async () => {
    const { id } = await create(
      world(),
      invoiceOf('Before ocelot', { fileName: 'o.txt', fileContent: base64('margay') }),
    )
    await world().application.texts.settle()
    expect((await patch(id, '/title', 'After jaguar')).status).toBe(200)
    expect((await patch(id, '/description', 'and puma')).status).toBe(200)
    expect((await patch(id, '/indexes/1/indexValue', 'caracal-1')).status).toBe(200)
    expect(await found('ocelot')).toEqual([])
    expect(await found('jaguar puma caracal 1 cc100 margay')).toEqual(['After jaguar'])
  })

  it.each([
    [
      '\u682a\u5f0f\u4f1a\u793e\u5c71\u7530\u88fd\u4f5c\u6240\u5fa1\u4e2d\u8acb\u6c42\u66f8',
      ['\u8acb\u6c42\u66f8', '\u682a\u5f0f\u4f1a\u793e', '\u6240', '\u8acb\u6c42*'],
      ['\u8acb\u66f8', '\u793e\u4f1a'],
    ],
    ['\u0e43\u0e1a\u0e41\u0e08\u0e49\u0e07\u0e2b\u0e19\u0e35\u0e49', ['\u0e2b\u0e19\u0e35\u0e49'], ['\u0e2b\u0e19']],
    [
      '\u0939\u093f\u0928\u094d\u0926\u0940',
      ['\u0939\u093f\u0928\u094d\u0926\u0940'],
      ['\u0939\u0928\u094d\u0926\u093e'],
    ],
    ['\u304b\u304d', ['\u304b'], ['\u304c']],
    [
      '\u00d8rland \u0141\u00f3d\u017a \u0110akovo \u00c6gir',
      ['orland', 'LODZ dakovo', 'aegir', '\u00f8rland'],
      ['rland'],
    ],
    ['Orland Lodz Aegir', ['\u00f8rland', '\u0142\u00f3d\u017a', '\u00c6GIR'], []],
  ])('finds words of %s as people of its script write them', async (title, words, others) => {
    await create(world(), noteOf(title))
    for (const search of words) expect([search, await found(search)]).toEqual([search, expect.arrayContaining([title])])
    for (const search of others)
      expect([search, await found(search)]).toEqual([search, expect.not.arrayContaining([title])])
  })

  it('drops a deleted document, also when its text had not been extracted', async () => {
    const words = { fileContent: base64('thylacine') }
    for (const settles of [true, false]) {
      const { id } = await create(world(), noteOf('Extinct', words))
      if (settles) await world().application.texts.settle()
      expect((await world().send({ as: 'integration', method: 'DELETE', url: urlOf(id) })).status).toBe(200)
      await world().application.texts.settle()
      expect(await found('extinct')).toEqual([])
      expect(await found('thylacine')).toEqual([])
    }
  })

  it.runIf(process.platform === 'linux').each([
    ['SIGTERM', 'numbat'],
    ['SIGKILL', 'quokka'],
  ])('reads a file again whose reader was stopped by %s', async (signal, word) => {
    const { files } = world().application.service
    const from = world().observed.length
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const whole = files.read
    const reading = vi.spyOn(files, 'read').mockImplementationOnce(async (...given) => {
      await opened
      return whole(...given)
    })
    await create(world(), noteOf('Interrupted', { fileContent: base64(word) }))
    await soon(() => expect([reading.mock.calls.length, readingProcesses()]).toEqual([1, [expect.any(Number)]]))
    for (const pid of readingProcesses()) process.kill(pid, signal)
    await soon(() => expect(readingProcesses()).toEqual([]))
    open()
    await world().application.texts.settle()
    reading.mockRestore()
    const failed = world()
      .observed.slice(from)
      .flatMap((one) => (one.kind === 'text-not-read' ? one.reason : []))
    expect([failed, await found(word)]).toEqual([['reading it was stopped: stopped'], []])
    // By then the attempt has expired.
    await world().query("update document_text set updated_at = '2000-01-01T00:00:00.000Z' where is_waiting = 1")
    world().application.texts.wake('EN')
    await world().application.texts.settle()
    expect(await found(word)).toEqual(['Interrupted'])
  })

  it('never finds what another company has', async () => {
    const words = { fileName: 'canary-of-SV.txt', fileContent: base64('canary-of-SV okapi') }
    await create(world(), noteOf('canary-of-SV', words), 'sv')
    await create(world(), noteOf('Own', { description: 'okapi' }))
    await world().application.texts.settle()
    expect(await found('canary')).toEqual([])
    expect(await found('canar*')).toEqual([])
    expect(await found('okapi')).toEqual(['Own'])
    expect(await found('okapi', '', 'sv')).toEqual(['canary-of-SV'])
    expect(await found('okapi', '&companyId=SV', 'both')).toEqual(['canary-of-SV'])
    // The token of a company in the index is not a word that a client can search for.
    const word = companyWord('SV')
    expect(await found(word)).toEqual([])
    expect(await found(`${word.slice(1)}`)).toEqual([])
  })

  it('is paged, newest first', async () => {
    for (let at = 0; at < 5; at++) await create(world(), noteOf(`Page ${at}`, { description: 'tapir' }))
    expect(await found('tapir')).toEqual(['Page 4', 'Page 3', 'Page 2', 'Page 1', 'Page 0'])
    expect(await found('tapir', '&start=1&limit=2')).toEqual(['Page 3', 'Page 2'])
    expect(await found('tapir', '&limit=0')).toEqual([])
    const { json } = await world().send({ as: 'integration', url: `${DOCUMENTS}?search=tapir&limit=0` })
    expect(json).toMatchObject({ count: 0, total: 5 })
  })
})
