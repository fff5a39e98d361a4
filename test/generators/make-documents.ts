// `node test/generators/make-documents.ts` makes the PDF and Word files that tests of texts read, as other programs write
// them. They are made once and committed: their libraries are larger than all that the tests of texts need.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import {
  Document,
  Footer,
  FootnoteReferenceRun,
  Header,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from 'docx'

/** The used part of pdfkit, which has no types. */
interface Drawing extends AsyncIterable<Buffer> {
  text(text: string): Drawing
  addPage(): Drawing
  font(name: string): Drawing
  addNamedJavaScript(name: string, script: string): void
  end(): void
}
const require = createRequire(import.meta.url)
const Drawing = require('pdfkit') as new (options: object) => Drawing
const FONT = require.resolve('pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf')

async function pdf(name: string, draw: (drawing: Drawing) => void, options: object = {}): Promise<void> {
  const drawing = new Drawing({ ...options })
  draw(drawing)
  drawing.end()
  write(`${name}.pdf`, Buffer.concat(await Array.fromAsync(drawing)))
}

async function word(name: string, document: Document): Promise<void> {
  write(`${name}.docx`, await Packer.toBuffer(document))
}

function write(name: string, content: Buffer): void {
  const file = join(import.meta.dirname, '../fixtures/texts', name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

const threeFonts = (drawing: Drawing) =>
  void drawing.text('Gr\u00fc\u00dfe').addPage().font('Courier').text('zwei').addPage().font(FONT).text('dr\u00e9i')

await pdf('packed', threeFonts)
await pdf('plain', threeFonts, { compress: false })
await pdf('encrypted', threeFonts, { ownerPassword: 'x', pdfVersion: '1.7' })
await pdf('pages', (drawing) => {
  drawing.text('Gr\u00fc\u00dfe aus K\u00f6ln').text('n\u00e4chste Zeile')
  drawing.addPage().text('zweite Seite \u20ac 5')
  drawing.addPage().addPage().text('vierte')
})
await pdf('script', (drawing) => {
  drawing.addNamedJavaScript('open', 'globalThis.wasRun = true; app.alert("run")')
  drawing.text('text beside a script')
})
for (const pdfVersion of ['1.3', '1.4', '1.6', '1.7', '1.7ext3']) {
  for (const password of ['userPassword', 'ownerPassword'])
    await pdf(`${password}/${pdfVersion}`, (drawing) => void drawing.text('text'), { pdfVersion, [password]: 'x' })
}
await pdf('searched', (drawing) => void drawing.text('Kr\u00e4henfu\u00df and quagga2'))
await word('searched', new Document({ sections: [{ children: [new Paragraph('Kr\u00e4henfu\u00df and quagga3')] }] }))
await word(
  'letter',
  new Document({
    footnotes: { 1: { children: [new Paragraph('Fu\u00dfnote')] } },
    sections: [
      {
        headers: { default: new Header({ children: [new Paragraph('Kopf')] }) },
        footers: { default: new Footer({ children: [new Paragraph('Fu\u00df')] }) },
        children: [
          new Paragraph({
            children: [
              new TextRun('Gr\u00fc'),
              new TextRun({ text: '\u00dfe', bold: true }),
              new FootnoteReferenceRun(1),
            ],
          }),
          new Table({
            rows: [
              new TableRow({
                children: ['Menge', '\u05e9\u05dc\u05d5\u05dd'].map(
                  (text) => new TableCell({ children: [new Paragraph(text)] }),
                ),
              }),
            ],
          }),
          new Paragraph('\u0645\u0631\u062d\u0628\u0627 & <Ende>'),
        ],
      },
    ],
  }),
)
