// Mutants of the service: each has one company predicate removed, as if it had been forgotten.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Mutant {
  readonly file: string
  readonly line: number
  /** The predicate. */
  readonly taken: string
  readonly source: string
}

/** The folders with statements. Those that create, copy or fill whole tables answer no request and are left out. */
const FOLDERS = ['src/model/records', 'src/records', 'src/objects', 'src/sql', 'src/store', 'src/databases']
const NO_ANSWERS = /\.test\.ts$|migrations\/|\/copy\/|tables\.ts$/

/** How a predicate is spelled, and its replacement. */
const PREDICATES: readonly (readonly [RegExp, string])[] = [
  [/\n?[ ]*\.where\('(?:\w+\.)?company_id', '=', p\('\w+'\)\)/g, ''],
  [/\n?[ ]*\.on\('\w+\.company_id', '=', p\('\w+'\)\)/g, ''],
  [/\b(?:\w+\.)?company_id = \$\{p\('companyId'\)\}/g, '1 = 1'],
  [/\b\w+\.company_id = \$\{(?:emitter\.)?bind\([^)]*\)\}/g, '1 = 1'],
  [/\b(?:\w+\.)?company_id = \$\{(?:emitter\.|this\.#sql\.)?company(?:Id)?\}/g, '1 = 1'],
  [/\b(?:rows\.)?ofCompany\((?:\w+(?:, company)?)?\)(?=[,)])/g, "'1 = 1'"],
  [/`\$\{alias\}\.\$\{quote\(COMPANY_COLUMN\)\} = \$\{this\.#sql\.company\}`/g, "'1 = 1'"],
  [/\['company_id', companyId\],/g, ''],
  [/\[definition\.companyColumn, [\w.]+\], /g, ''],
]

export function predicateMutants(root: string): Mutant[] {
  return FOLDERS.flatMap((folder) => filesIn(root, folder)).flatMap((file) =>
    mutantsOf(file, readFileSync(join(root, file), 'utf8')),
  )
}

function filesIn(root: string, folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort()
  return names.map((name) => join(folder, name)).filter((name) => name.endsWith('.ts') && !NO_ANSWERS.test(name))
}

function mutantsOf(file: string, text: string): Mutant[] {
  return PREDICATES.flatMap(([spelled, instead]) =>
    [...text.matchAll(spelled)].map(({ 0: taken, index }) => ({
      file,
      line: text.slice(0, index + taken.search(/\S/)).split('\n').length,
      taken: taken.trim(),
      source: text.slice(0, index) + instead + text.slice(index + taken.length),
    })),
  )
}
