// The files that are made from the code: the examples, the setup's schema, the SQL of every statement, the table of errors.
import '../../src/app.ts'
import { CODES } from '../../src/errors/codes.ts'
import { SetupSchema } from '../../src/setup/setup-schema.ts'
import { postgresCompiler } from '../../src/store/dialects/postgres/compiler.ts'
import { postgresEngine } from '../../src/store/dialects/postgres/engine.ts'
import { sqliteCompiler } from '../../src/store/dialects/sqlite/compiler.ts'
import { sqliteEngine } from '../../src/store/dialects/sqlite/engine.ts'
import { compileStatement, declaredStatements } from '../../src/store/statement.ts'
import { answerExamples, DESCRIPTION_FILE, EXAMPLES_FILE } from './openapi-examples.ts'

/** File -> text. */
export async function printed(): Promise<Record<string, string>> {
  const { exchanges, description } = await answerExamples()
  return {
    [EXAMPLES_FILE]: json(exchanges),
    [DESCRIPTION_FILE]: json(description),
    'docs/setup.schema.json': json({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...SetupSchema }),
    'docs/sql.md': sqlPage(),
    'docs/errors.md': errorPage(),
  }
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

function sqlPage(): string {
  const sections = [...declaredStatements()]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map((statement) => {
      const onSqlite = compileStatement(sqliteCompiler, sqliteEngine, statement)
      const onPostgres = compileStatement(postgresCompiler, postgresEngine, statement)
      return `## ${statement.name}\n\nParameters: ${onSqlite.names.join(', ') || 'none'}.\n\nSQLite:\n\n\`\`\`sql\n${onSqlite.text.trim()}\n\`\`\`\n\nPostgreSQL:\n\n\`\`\`sql\n${onPostgres.text.trim()}\n\`\`\`\n`
    })
  return `# SQL\n\nEvery fixed statement as each engine runs it. Printed by \`npm run docs\`; a test compares.\n\n${sections.join('\n')}`
}

function errorPage(): string {
  const rows = CODES.map(({ code, status, meaning, mend }) => `| ${code} | ${status} | ${meaning} | ${mend} |`)
  return `# Errors

Every refusal has one of these codes. Printed by \`npm run docs\`; a test compares.

| code | status | meaning | what to do |
|---|---|---|---|
${rows.join('\n')}

Two shapes have no code: 401 is \`{"statusCode":401,"message":"Invalid JWT."}\`, and refusals of identifiers and file content are
\`{"message","messageType":"Information","code":null,"path":null}\`. A refused record comes back as it was sent, with
\`notificationMessages\` (field -> list of code and message) in each object that failed. Every answer carries \`X-Request-Id\`.
`
}
