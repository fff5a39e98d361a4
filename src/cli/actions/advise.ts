import { type Advice, type Advised, advise, type SuggestedIndex } from '../../app/setup/advise.ts'
import { openReadOnly } from '../../databases/open/open-read-only.ts'
import type { IndexesSetup } from '../../setup/file/setup-schema.ts'
import { readableShape } from '../../store/slow-queries.ts'
import { type StoreFlags, storeOptions } from '../settings/settings.ts'
import { formatCount, formatCountOf } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'

export async function printAdvice(settings: StoreFlags, terminal: Terminal): Promise<void> {
  await using database = await openReadOnly(storeOptions(settings))
  terminal.stdout.write(renderAdvice(await advise(database)))
}

function renderAdvice(advised: Advised): string {
  if (advised.advice.length === 0) return 'no question was slow\n'
  const snippet = snippetOf(advised)
  const advice = snippet.length === 0 ? '' : `\nFor the setup:\n\n${snippet.map((line) => `${line}\n`).join('')}`
  return `${advised.advice.map(describeQuery).join('\n')}${advice}`
}

function describeQuery({ query, shape, plan, suggestion }: Advice): string {
  const { document, total_ms, worst_ms, last_seen } = query
  const times = Number(query.seen)
  const { filter, orderBy, groupBy, aggregated, isCount } = readableShape(shape)
  const mean = Math.round(Number(total_ms) / times)
  const lines = [
    `${document}: ${formatCountOf(times, 'time')}, mean ${formatCount(mean)} ms, worst ${formatCount(Number(worst_ms))} ms, last ${last_seen}`,
    ...(isCount ? ['  a count'] : []),
    ...(filter === undefined ? [] : [`  filter: ${filter}`]),
    ...(orderBy === undefined ? [] : [`  order: ${orderBy}`]),
    ...(groupBy ? [`  groups: ${groupBy}`] : []),
    ...(aggregated ? [`  computed of: ${aggregated}`] : []),
    ...(plan ?? ['such a question can no longer be asked']).map((step) => `  plan: ${step}`),
    `  ${suggestion ? describeSuggestion(suggestion) : 'no further index would serve it'}`,
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function describeSuggestion({ section, of, table, names }: SuggestedIndex): string {
  if (of === 'foreign') return `an index would serve it, on ${table} (${names.join(', ')}), which its owner can make`
  return section === 'textIndexes'
    ? `a text index would serve it: ${names[0]}`
    : `an index would serve it: [${names.join(', ')}]`
}

/** YAML for the setup, one line per document: its declared indexes together with the suggested ones. */
function snippetOf({ advice, declared }: Advised): string[] {
  const lines: string[] = []
  for (const section of ['indexes', 'textIndexes'] as const) {
    const byDocument = new Map<string, { readonly of: SuggestedIndex['of']; readonly texts: Set<string> }>()
    for (const { query, suggestion } of advice) {
      if (suggestion?.section !== section || suggestion.of === 'foreign') continue
      const entry = byDocument.get(query.document) ?? {
        of: suggestion.of,
        texts: declaredIn(declared.get(query.document), section),
      }
      entry.texts.add(section === 'indexes' ? `[${suggestion.names.join(', ')}]` : suggestion.names.join())
      byDocument.set(query.document, entry)
    }
    const builtIn = [...byDocument].filter(([, { of }]) => of === 'built-in')
    if (builtIn.length > 0) lines.push(`${section}:`)
    for (const [document, { texts }] of builtIn) lines.push(`  ${document}: [${[...texts].join(', ')}]`)
    for (const [document, { of, texts }] of byDocument) {
      if (of === 'own') lines.push(`    ${section}: [${[...texts].join(', ')}] # of the document ${document}`)
    }
  }
  return lines
}

function declaredIn(setup: IndexesSetup | undefined, section: SuggestedIndex['section']): Set<string> {
  const texts = section === 'indexes' ? setup?.indexes?.map((paths) => `[${paths.join(', ')}]`) : setup?.textIndexes
  return new Set(texts ?? [])
}
