// POST of documents and revisions as forms (multipart/form-data, RFC 7578), written by hand and by a browser's means.
import { describe, expect, it } from 'vitest'
import { base64, create, DOCUMENTS, INDEXES, noteOf, onEachArchive, PDF, REVISIONS } from '../support/documents.ts'
import { longIt } from '../support/reliability-test.ts'
import { findingsIn } from '../support/scenario.ts'
import { FORM_BOUNDARY, FORM_TYPE, type FormPart, field, file, formOf, listen, stagedIn } from '../support/uploads.ts'
import type { Answer } from '../support/world.ts'

const CONTENT = Buffer.from('The content of a form, with \r\n--almost a boundary\r\n and \u0000 in it')
const NOTE = [field('docType', 'NOTE'), field('title', 'By form')]
const LIMIT = 50 * 1024 * 1024

onEachArchive('A form', (world) => {
  const send = (body: Buffer | string, url = DOCUMENTS, headers: Record<string, string> = FORM_TYPE): Promise<Answer> =>
    world().send({ as: 'integration', method: 'POST', url, body, headers })
  const sendParts = (parts: readonly FormPart[], url = DOCUMENTS) => send(formOf(parts), url)

  describe('that is accepted', () => {
    it('creates the same document as JSON does', async () => {
      const parts = [
        field('docType', 'INVOICE'),
        field('title', 'By form'),
        field('description', 'R\u00e9sum\u00e9 \ud83d\ude00'),
        field('expiryDate', '2031-05-01'),
        field('indexes', JSON.stringify(INDEXES)),
        file('invoice.pdf', PDF),
      ]
      const answer = await sendParts(parts)
      expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, ''])
      const twin = {
        docType: 'INVOICE',
        title: 'By form',
        description: 'R\u00e9sum\u00e9 \ud83d\ude00',
        expiryDate: '2031-05-01',
        indexes: INDEXES,
        fileName: 'invoice.pdf',
        fileContent: base64(PDF),
      }
      const { id: _id, lastUpdate: _at, ...asJson } = await create(world(), twin)
      expect(answer.json).toMatchObject(asJson)
      expect(answer.headers.location).toBe(`${DOCUMENTS}/${answer.json.id}`)
    })

    it('may come over a socket, with the file first and a name of any letters, as browsers send it', async () => {
      const form = new FormData()
      form.append('file', new Blob([CONTENT]), 'R\u00e9sum\u00e9 "\u8acb\u6c42".bin')
      form.append('docType', 'NOTE')
      form.append('title', 'By \u8acb fetch')
      const headers = { authorization: `Bearer ${await world().token('integration')}` }
      const answer = await fetch(`${await listen(world())}${DOCUMENTS}`, { method: 'POST', body: form, headers })
      expect(answer.status).toBe(201)
      expect(await answer.json()).toMatchObject({
        title: 'By \u8acb fetch',
        fileName: 'R\u00e9sum\u00e9 "\u8acb\u6c42".bin',
        fileContent: base64(CONTENT),
        docSize: CONTENT.length,
      })
    })

    it('has the name of the file in its part or in a field, which wins', async () => {
      const inPart = await sendParts([...NOTE, file('part.txt', CONTENT)])
      expect(inPart.json).toMatchObject({ fileName: 'part.txt', mimeType: 'text/plain' })
      const inField = await sendParts([...NOTE, file('part.txt', CONTENT), field('FileName', 'field.csv')])
      expect(inField.json).toMatchObject({ fileName: 'field.csv', mimeType: 'text/csv' })
      const empty = await sendParts([...NOTE, field('fileName', ''), file('part.txt', CONTENT)])
      expect([empty.status, empty.json.message]).toEqual([400, 'The FileName field is required.'])
    })

    it('has no path in the name of its file, as some browsers send it', async () => {
      const answer = await sendParts([...NOTE, file('C:\\fakepath\\a.txt', CONTENT)])
      expect(answer.json.fileName).toBe('a.txt')
    })

    it('has the name that is coded beside the plain one, in documents and revisions', async () => {
      const name = `=?utf-8?B?TcO8bGxlci50eHQ=?="; filename*=utf-8''M%C3%BCller.txt; x="`
      const answer = await sendParts([...NOTE, file(name, CONTENT)])
      expect(answer.json).toMatchObject({ fileName: 'M\u00fcller.txt', mimeType: 'text/plain' })
      const revision = await sendParts(
        [field('comment', 'second'), file(name, 'two')],
        `${REVISIONS}/${answer.json.id}`,
      )
      expect([revision.status, revision.json.fileName]).toEqual([201, 'M\u00fcller.txt'])
      const noPdf = await sendParts([...NOTE, file(name.replace('.txt', '.pdf'), CONTENT)])
      expect(findingsIn(noPdf.json)).toEqual({
        mimeType: [3010, 'The content of M\u00fcller.pdf is not application/pdf'],
      })
    })

    it.each([
      ['base64', `${base64(CONTENT).slice(0, 20)}\r\n ${base64(CONTENT).slice(20)}\r\n`],
      ['BINARY', CONTENT],
      ['8bit', CONTENT],
    ])('may have its file in the transfer encoding %s', async (transferEncoding, value) => {
      const title: FormPart = { name: 'title', value: base64('Coded'), transferEncoding: 'base64' }
      const answer = await sendParts([NOTE[0]!, title, { ...file('a.txt', value), transferEncoding }])
      expect(answer.json).toMatchObject({ title: 'Coded', fileContent: base64(CONTENT) })
    })

    it('has the type of the ending, whatever the part says', async () => {
      const answer = await sendParts([...NOTE, { ...file('a.txt', CONTENT), type: 'application/pdf' }])
      expect(answer.json.mimeType).toBe('text/plain')
    })

    it('may have its file in a field of any name, and fields in any letter case and of no meaning', async () => {
      const parts = [field('DOCTYPE', 'NOTE'), field('Title', 'Cases'), field('other', 'x'), field('__proto__', 'x')]
      const answer = await sendParts([...parts, file('a.txt', CONTENT, 'fileContent')])
      expect([answer.status, answer.json.title]).toEqual([201, 'Cases'])
    })

    it('may have base64 in the field fileContent in place of a file, as JSON bodies have it', async () => {
      const large = Buffer.from(Array.from({ length: 1_500_000 }, (_one, at) => at % 251))
      for (const [name, content] of [
        ['fileContent', CONTENT],
        ['FILECONTENT', large],
      ] as const) {
        const answer = await sendParts([...NOTE, field(name, base64(content)), field('fileName', 'a.txt')])
        expect([answer.status, answer.json.fileName, answer.json.docSize]).toEqual([201, 'a.txt', content.length])
        expect(answer.json.fileContent).toBe(base64(content))
        const parts = [field('comment', 'second'), field('fileName', 'b.txt'), field(name, base64(content))]
        const revised = await sendParts(parts, `${REVISIONS}/${answer.json.id}`)
        expect([revised.status, revised.json.fileContent]).toEqual([201, base64(content)])
      }
    })

    it('adds revisions, by the path or by the field', async () => {
      const { id } = await create(world(), noteOf('Revised by form'))
      const parts = [field('comment', 'second'), file('b.txt', 'two')]
      const byPath = await sendParts(parts, `${REVISIONS}/${id}`)
      expect(byPath.json).toMatchObject({ id, revisionNo: 2, comment: 'second', fileContent: base64('two') })
      const byField = await sendParts([field('id', id), ...parts], REVISIONS)
      expect(byField.json).toMatchObject({ id, revisionNo: 3, fileName: 'b.txt' })
    })

    it('may have a preamble and an epilogue, which are ignored', async () => {
      const body = Buffer.concat([Buffer.from('Hello\r\n'), formOf([...NOTE, file('a.txt', 'x')]), Buffer.from('bye')])
      expect((await send(body)).status).toBe(201)
    })

    it('may have a quoted boundary and a charset', async () => {
      const type = `Multipart/Form-Data; charset=utf-8; boundary="${FORM_BOUNDARY}"`
      const answer = await send(formOf([...NOTE, file('a.txt', 'x')]), DOCUMENTS, { 'content-type': type })
      expect(answer.status).toBe(201)
    })

    it('is of the company in the field or in the query', async () => {
      const parts = formOf([...NOTE, field('companyId', 'sv'), file('a.txt', 'x')])
      const both = { as: 'both', method: 'POST', body: parts, headers: FORM_TYPE } as const
      expect((await world().send({ ...both, url: DOCUMENTS })).json.companyId).toBe('SV')
      const differ = await world().send({ ...both, url: `${DOCUMENTS}?companyId=EN` })
      expect([differ.status, differ.json.code]).toEqual([400, 1010])
    })
  })

  describe('that is refused', () => {
    const required = (name: string) => `The ${name} field is required.`
    const whole = formOf([...NOTE, file('a.txt', CONTENT)])
    const cut = (bytes: number) => whole.subarray(0, bytes)
    const inFile = whole.indexOf('almost')

    const refusals: [name: string, body: Buffer | string, message: string | RegExp][] = [
      ['without a file', formOf([...NOTE]), /The FileContent field is required\. The FileName field is required\./],
      ['with an empty file', formOf([...NOTE, file('a.txt', '')]), required('FileContent')],
      ['as a browser sends it without a file', formOf([...NOTE, file('', '')]), /FileContent .* FileName/],
      [
        'with an empty field for base64',
        formOf([...NOTE, field('fileContent', ''), field('fileName', 'a.txt')]),
        required('FileContent'),
      ],
      ['with base64 and without a name', formOf([...NOTE, field('fileContent', base64('x'))]), required('FileName')],
      [
        'with base64 beside a file',
        formOf([...NOTE, field('fileContent', base64('x')), file('a.txt', 'x')]),
        'The form has more than one file.',
      ],
      ['with two files', formOf([...NOTE, file('a.txt', 'x'), file('b.txt', 'y')]), 'The form has more than one file.'],
      [
        'with two large files',
        formOf([file('a.txt', Buffer.alloc(300_000)), file('b.txt', Buffer.alloc(300_000)), ...NOTE]),
        'The form has more than one file.',
      ],
      ['with a field twice', formOf([...NOTE, NOTE[1]!, file('a.txt', 'x')]), 'The field title is given twice.'],
      [
        'with a field in two spellings',
        formOf([...NOTE, field('TITLE', 'x'), file('a.txt', 'x')]),
        "The field title is given twice, as 'title' and as 'TITLE'.",
      ],
      [
        'with NUL in a field',
        formOf([...NOTE, field('description', 'a\u0000b'), file('a.txt', 'x')]),
        'The field description is not a text: it is no UTF-8, or U+0000 is in it.',
      ],
      [
        'with a field that is no UTF-8',
        formOf([...NOTE, { name: 'description', value: Buffer.from([0x61, 0xff]) }, file('a.txt', 'x')]),
        'The field description is not a text: it is no UTF-8, or U+0000 is in it.',
      ],
      [
        'with a field without a name',
        formOf([...NOTE, { value: 'x' }, file('a.txt', 'x')]),
        'A field of the form has no name.',
      ],
      ['with too many fields', formOf([...manyFields(51), ...NOTE]), 'The form has more than 50 fields.'],
      [
        'with indexes that are no JSON',
        formOf([...NOTE, field('indexes', '[{]'), file('a.txt', 'x')]),
        "Malformed JSON in the field indexes at position 2: expected a name in double quotes, found ']'",
      ],
      [
        'with indexes that are no list',
        formOf([...NOTE, field('indexes', '5'), file('a.txt', 'x')]),
        /^The field indexes must be/,
      ],
      [
        'with a transfer encoding that is not read',
        formOf([...NOTE, { ...file('a.txt', 'a=20b'), transferEncoding: 'Quoted-Printable' }]),
        'The transfer encoding quoted-printable in the form is not base64, binary, 8bit or 7bit.',
      ],
      [
        'with a coded field that is no base64',
        formOf([...NOTE, { name: 'x', value: '@', transferEncoding: 'base64' }, file('a.txt', 'x')]),
        'The field x is not a text: it is no UTF-8, or U+0000 is in it.',
      ],
      ['with no fields at all', formOf([]), /FileContent .* DocType .* FileName .* Title/],
      [
        'with a file name that is no UTF-8',
        Buffer.from(formOf([...NOTE, file('R\u00e9.txt', 'x')]).toString(), 'latin1'),
        'The name of the file is not a text: it is no UTF-8.',
      ],
      ['of nothing', '', /^The form cannot be read/],
      ['that is something else', '{"title":"x"}', /^The form cannot be read/],
      ['that is cut off within a name', cut(30), /^The form cannot be read/],
      ['that is cut off within a field', cut(whole.indexOf('NOTE') + 2), /^The form cannot be read/],
      ['that is cut off within the file', cut(inFile), /^The form cannot be read/],
      ['that is cut off before its last boundary', cut(whole.lastIndexOf('\r\n--')), /^The form cannot be read/],
      [
        'that is cut off within a second file',
        formOf([...NOTE, file('a.txt', 'x'), file('b.txt', 'yyyyyyyy')]).subarray(0, -FORM_BOUNDARY.length - 12),
        /./,
      ],
    ]
    it.each(refusals)('is one %s, and leaves nothing', async (_name, body, message) => {
      const { id } = await create(world(), noteOf('Before'))
      const before = await world().dump()
      for (const url of [DOCUMENTS, `${REVISIONS}/${id}`]) {
        const answer = await send(body, url)
        expect([answer.status, answer.status === 400 ? '' : answer.text]).toEqual([400, ''])
        expect(answer.json.code).toBe(1010)
        if (url !== DOCUMENTS) continue
        if (typeof message === 'string') expect(answer.json.message).toBe(message)
        else expect(answer.json.message).toMatch(message)
      }
      expect(await world().changesSince(before)).toEqual([])
      expect(stagedIn(world())).toEqual([])
    })

    it.each(['@@@@', 'QUJ', `${'QUJD'.repeat(100_000)}=`])('is one with a field that is no base64', async (text) => {
      const before = await world().dump()
      const answer = await sendParts([...NOTE, field('fileName', 'a.txt'), field('fileContent', text)])
      const asJson = { docType: 'NOTE', title: 'By form', fileName: 'a.txt', fileContent: '@@@@' }
      const twin = await world().send({ as: 'integration', method: 'POST', url: DOCUMENTS, body: asJson })
      expect([answer.status, answer.json]).toEqual([400, twin.json])
      expect(await world().changesSince(before)).toEqual([])
      expect(stagedIn(world())).toEqual([])
    })

    it('is one cut off anywhere, and leaves nothing', async () => {
      const before = await world().dump()
      const statuses = new Set<number>()
      // The last two bytes are a line end that nothing needs.
      for (let bytes = 0; bytes < whole.length - 2; bytes += 3) statuses.add((await send(cut(bytes))).status)
      expect([...statuses]).toEqual([400])
      expect(await world().changesSince(before)).toEqual([])
      expect(stagedIn(world())).toEqual([])
    })

    it.each([
      ['no boundary', 'multipart/form-data', /^The form cannot be read/],
      ['an empty boundary', 'multipart/form-data; boundary=', /./],
      ['a boundary that is longer than any', `multipart/form-data; boundary=${'x'.repeat(5_000)}`, /./],
      ['another boundary', 'multipart/form-data; boundary=other', /^The form cannot be read/],
    ])('is one with %s', async (_name, type, message) => {
      const answer = await send(formOf([...NOTE, file('a.txt', 'x')]), DOCUMENTS, { 'content-type': type })
      expect([answer.status, answer.status === 400 ? answer.json.code : answer.text]).toEqual([400, 1010])
      expect(answer.json.message).toMatch(message)
      expect(stagedIn(world())).toEqual([])
    })

    it('is one of the wrong media type', async () => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/mixed; boundary=x']) {
        const answer = await send(whole, DOCUMENTS, { 'content-type': type })
        expect([type, answer.status, answer.json.code]).toEqual([type, 415, 1010])
      }
    })

    it('reports all findings together, as JSON bodies do, and leaves nothing', async () => {
      const before = await world().dump()
      const parts = [field('docType', 'INVOICE'), field('title', ''), file('a.pdf', 'no pdf')]
      const answer = await sendParts(parts)
      expect(answer.status).toBe(400)
      expect(findingsIn(answer.json)).toMatchObject({
        title: [1010, 'The Title field is required.'],
        mimeType: [3010, 'The content of a.pdf is not application/pdf'],
        indexes: [3010, 'You must enter a value for Invoice number'],
      })
      expect(await world().changesSince(before)).toEqual([])
      expect(stagedIn(world())).toEqual([])
    })

    it.each([
      ['a field', [...NOTE, field('description', '\u00e9'.repeat(600_000)), file('a.txt', 'x')]],
      ['all fields together', [...NOTE, ...manyFields(5, 'x'.repeat(300_000)), file('a.txt', 'x')]],
    ])('is one in which %s would be too large (413)', async (_name, parts) => {
      const answer = await sendParts(parts)
      const message = 'The request body is larger than the limit of 1048576 bytes.'
      expect([answer.status, answer.json]).toEqual([413, { code: 1010, message }])
      expect(stagedIn(world())).toEqual([])
    })

    it('is one of a caller without permission, and is not even read', async () => {
      const before = await world().dump()
      for (const as of ['reader', 'nobody']) {
        const answer = await world().send({ as, method: 'POST', url: DOCUMENTS, body: whole, headers: FORM_TYPE })
        expect([answer.status, answer.json.code]).toEqual([403, 2030])
      }
      const unknown = await send(whole, `${DOCUMENTS}?companyId=XX`)
      expect([unknown.status, unknown.json.code]).toEqual([403, 2030])
      expect(await world().changesSince(before)).toEqual([])
      expect(stagedIn(world())).toEqual([])
    })

    longIt('is one with a file over the limit, reported to a caller who is still sending (413)', async () => {
      const before = await world().dump()
      const headers = { authorization: `Bearer ${await world().token('integration')}` }
      const address = await listen(world())
      for (const sizeBytes of [LIMIT + 1, 51 * 1024 * 1024]) {
        const form = new FormData()
        form.append('docType', 'NOTE')
        form.append('title', 'Large')
        form.append('file', new Blob([Buffer.alloc(sizeBytes, 'x')]), 'large.txt')
        const answer = await fetch(`${address}${DOCUMENTS}`, { method: 'POST', body: form, headers })
        const message = `The content of the file is larger than the limit of ${LIMIT} bytes.`
        expect([answer.status, await answer.json()]).toEqual([413, { code: 1010, message }])
      }
      expect(await world().changesSince(before)).toEqual([])
      expect(stagedIn(world())).toEqual([])
    })
  })

  longIt('with a file of exactly the limit is accepted', async () => {
    const headers = { authorization: `Bearer ${await world().token('integration')}` }
    const form = new FormData()
    form.append('docType', 'NOTE')
    form.append('title', 'Just so')
    form.append('file', new Blob([Buffer.alloc(LIMIT, 'x')]), 'large.bin')
    const answer = await fetch(`${await listen(world())}${DOCUMENTS}`, { method: 'POST', body: form, headers })
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ docSize: LIMIT })
    expect(stagedIn(world())).toEqual([])
  })
})

function manyFields(count: number, value = 'x'): FormPart[] {
  return Array.from({ length: count }, (_one, at) => field(`field${at}`, value))
}
