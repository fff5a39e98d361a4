// Files that open the entity sets of a company in Excel and Power BI, or in Excel what is asked of one. They hold
// addresses, and no credentials.
import { invalidOption, noResource } from '../errors/catalogue.ts'
import { savedAs } from '../http/route/replies.ts'
import type { ApiRequest } from '../http/route/route.ts'
import type { Reply } from '../http/route/send.ts'
import { escapeXml } from './metadata/csdl.ts'
import type { EntitySet } from './metadata/entity-set.ts'
import type { ODataModel } from './metadata/model.ts'
import { type ODataOption, type ODataOptions, readODataOptions } from './query/options.ts'
import { questionOf } from './query/question.ts'
import { rootUrlOf } from './request.ts'

/** The segment of their paths; no entity set can have a name with a hyphen. */
export const LINK_FILES = 'link-files'

const POWER_BI_FILE = 'tabularium.pbids'

/** What a table that refreshes itself may ask; how it is answered, and in which pages, is the matter of Excel. */
const ASKED: readonly ODataOption[] = ['filter', 'select', 'orderby', 'apply']

/**
 * `tabularium.pbids` with all entity sets, or `{entitySet}.odc`, with the question of its query. Throws 404 for any
 * other, and for hidden sets, and what the set itself would for the question.
 */
export function linkFile(request: ApiRequest, { entitySets }: ODataModel): Reply {
  const { file = '' } = request.params
  const { companyId } = request
  const root = rootUrlOf(request)
  if (file === POWER_BI_FILE) {
    requireOnly(readODataOptions(request.query), [])
    return saved(powerBiConnection(root), 'application/json;charset=utf-8', `tabularium-${companyId}.pbids`)
  }
  const [, name = ''] = /^(.+)\.odc$/.exec(file) ?? []
  const set = entitySets.get(name)
  if (!set) throw noResource(request.path)
  const connection = officeConnection(name, formulaOf(root, name, askedIn(request, set)))
  return saved(connection, 'text/x-ms-odc;charset=utf-8', `${name}-${companyId}.odc`)
}

/** The question as a part of an address; empty without one. */
function askedIn({ companyId, query }: ApiRequest, set: EntitySet): string {
  const { options } = questionOf(set, companyId, query)
  requireOnly(options, ASKED)
  return Object.entries(options)
    .map(([name, text]) => `$${name}=${encodeURIComponent(text)}`)
    .join('&')
}

/** Throws 400 for any other option. */
function requireOnly(options: ODataOptions, known: readonly ODataOption[]): void {
  const other = Object.keys(options).find((name) => !known.includes(name as ODataOption))
  if (other) throw invalidOption(`$${other} is no option of this link file.`)
}

function saved(body: string, contentType: string, fileName: string): Reply {
  return { status: 200, body, headers: { 'content-type': contentType, ...savedAs(fileName) } }
}

/** Power BI's own format: the report imports what the reader chooses. */
function powerBiConnection(url: string): string {
  const details = { protocol: 'odata', address: { url } }
  return JSON.stringify({ version: '0.1', connections: [{ details, options: {}, mode: 'Import' }] }, null, 2)
}

/**
 * An Office Data Connection ([MS-ODCFF]): a page of HTML with an island of XML, in which the query of Power Query ([MS-
 * QDEIF]) is a text. `set`: the name of an entity set.
 */
function officeConnection(set: string, formula: string): string {
  const connection = `Provider=Microsoft.Mashup.OleDb.1;Data Source=$Workbook$;Location=${set};Extended Properties=""`
  const island = [
    '<odc:OfficeDataConnection xmlns:odc="urn:schemas-microsoft-com:office:odc" xmlns="http://www.w3.org/TR/REC-html40">',
    '<odc:PowerQueryConnection odc:Type="OLEDB">',
    `<odc:ConnectionString>${escapeXml(connection)}</odc:ConnectionString>`,
    '<odc:CommandType>SQL</odc:CommandType>',
    `<odc:CommandText>SELECT * FROM [${set}]</odc:CommandText>`,
    '</odc:PowerQueryConnection>',
    `<odc:PowerQueryMashupData>${escapeXml(mashup(set, formula))}</odc:PowerQueryMashupData>`,
    '</odc:OfficeDataConnection>',
  ]
  return `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta http-equiv="Content-Type" content="text/x-ms-odc; charset=utf-8">
<meta name="ProgId" content="ODC.Database">
<meta name="SourceType" content="OLEDB">
<title>${set}</title>
<xml id="msodc">${island.join('')}</xml>
</head>
</html>
`
}

function mashup(set: string, formula: string): string {
  const nothing = '<IsParameterQuery xsi:nil="true"/><IsDirectQuery xsi:nil="true"/>'
  const query = `<Query Name="${set}"><Formula>${escapeXml(formula)}</Formula>${nothing}</Query>`
  return [
    '<Mashup xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns="http://schemas.microsoft.com/DataMashup">',
    '<Client>EXCEL</Client><Version>2.43.0.0</Version><MinVersion>2.21.0.0</MinVersion><Culture>en-US</Culture>',
    `<SafeCombine>true</SafeCombine><Items>${query}</Items></Mashup>`,
  ].join('')
}

/** `root`: the absolute URL of the service document. */
function formulaOf(root: string, set: string, asked: string): string {
  if (asked !== '') {
    return `let
    Records = OData.Feed(${quoted(`${root}/${set}?${asked}`)}, null, [Implementation = "2.0"])
in
    Records`
  }
  return `let
    Source = OData.Feed(${quoted(root)}, null, [Implementation = "2.0"]),
    Records = Source{[Name = ${quoted(set)}, Signature = "table"]}[Data]
in
    Records`
}

/** A text of Power Query: `#(` would begin an escape sequence. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""').replaceAll('#(', '#(#)(')}"`
}
