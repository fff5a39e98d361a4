// The files that are generated from the code: the examples, the setup's schema, the SQL of every statement, the tables,
// the errors.

import { postgresDialect } from '../../src/databases/postgres/dialect/dialect.ts'
import { sqliteDialect } from '../../src/databases/sqlite/dialect/dialect.ts'
import '../../src/app/app.ts'
import { CODES } from '../../src/errors/codes.ts'
import { SetupSchema } from '../../src/setup/file/setup-schema.ts'
import { compileStatement, declaredStatements } from '../../src/sql/statement.ts'
import { WebhookEvent } from '../../src/subscriptions/delivery/webhook-event.ts'
import { ALL_MUTATIONS } from '../reliability/mutations/all-mutations.ts'
import { conformancePage } from './conformance-page.ts'
import { answerExamples, DESCRIPTION_FILE, EXAMPLES_FILE } from './openapi-examples.ts'
import { referenceTables } from './reference-tables.ts'
import { schemaPage } from './schema-page.ts'

/** File -> text. */
export async function generatedDocs(): Promise<Record<string, string>> {
  const { exchanges, description } = await answerExamples()
  return {
    [EXAMPLES_FILE]: json(exchanges),
    [DESCRIPTION_FILE]: json(description),
    'guides/public/setup.schema.json': schemaFile(SetupSchema),
    'guides/public/webhook-event.schema.json': schemaFile(WebhookEvent),
    'docs/generated/conformance.md': conformancePage(),
    'docs/generated/sql.md': sqlPage(),
    ...referenceTables(description),
    'guides/reference/errors.md': errorPage(),
    'docs/generated/mutations.md': mutationPage(),
    'docs/generated/schema.md': await schemaPage(),
  }
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
const schemaFile = (schema: object) => json({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema })

function sqlPage(): string {
  const sections = [...declaredStatements()]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map((statement) => {
      const onSqlite = compileStatement(sqliteDialect, statement)
      const onPostgres = compileStatement(postgresDialect, statement)
      return `## ${statement.name}\n\nParameters: ${onSqlite.names.join(', ') || 'none'}.\n\nSQLite:\n\n\`\`\`sql\n${onSqlite.text.trim()}\n\`\`\`\n\nPostgreSQL:\n\n\`\`\`sql\n${onPostgres.text.trim()}\n\`\`\`\n`
    })
  return `# SQL\n\nEvery fixed statement as each engine runs it. Printed by \`npm run docs\`; a test compares.\n\n${sections.join('\n')}`
}

function errorPage(): string {
  const rows = CODES.map(({ code, status, meaning, fix }) => `| ${code} | ${status} | ${meaning} | ${fix} |`)
  return `---
order: 70
---

# Errors

Every refusal has one of these codes. Printed by \`npm run docs\`; a test compares.

| code | status | meaning | what to do |
|---|---|---|---|
${rows.join('\n')}

Two shapes have no code: 401 is \`{"statusCode":401,"message":"Invalid JWT."}\`, and refusals of identifiers and file content are
\`{"message","messageType":"Information","code":null,"path":null}\`. A refused record comes back as it was sent, with
\`notificationMessages\` (field -> list of code and message) in each object that failed. Every answer carries \`X-Request-Id\`.
Below \`/odata/v4/\` every refusal is \`{"error":{"code","message"}}\`, with its code as a text, or the status where it has none.

Messages are English and name members. With \`X-ERP-Language\` (\`en\`, \`nb\`, \`sv\`, \`de\`) or \`Accept-Language\` (\`nb\`, \`sv\`, \`de\`) they are told in that language, with [titles](../administration/custom-documents.md#titles); codes and members stay.
`
}

function mutationPage(): string {
  const rows = ALL_MUTATIONS.map(
    ({ name, test: [by, title] }) => `| ${name} | \`${by.replace('test/reliability/', '')}\`: ${title} |`,
  )
  return `# Mutations

Each breaks the source at one place, and the named test must fail. \`npm run test:mutations\` shows it. Printed by \`npm run docs\`; a test compares.

Beside them \`isolation/predicate-mutants.test.ts\` removes every company predicate of the source, one by one. Those that change an answer are caught by T1, T2 or T5,
the others by the check of every statement; on PostgreSQL row-level security does what the predicate would have done.

| mutation | caught by |
|---|---|
${rows.join('\n')}
`
}
