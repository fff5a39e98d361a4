import { type Advice, type Advised, advise, type SuggestedIndex } from '../app/advise.ts'
import type { IndexesSetup } from '../setup/setup-schema.ts'
import { openReadOnly } from '../store/open-read-only.ts'
import { forPeople } from '../store/slow-queries.ts'
import { counted, countedOf } from './progress.ts'
import { type StoreSettings, storeOptions } from './settings.ts'

export async function tellAdvice(settings: StoreSettings): Promise<void> {
  const database = await openReadOnly(storeOptions(settings))
  try {
    process.stdout.write(textOf(await advise(database)))
  } finally {
    await database.close()
  }
}

function textOf(advised: Advised): string {
  if (advised.advice.length === 0) return 'no question was slow\n'
  const snippet = snippetOf(advised)
  const advice = snippet.length === 0 ? '' : `\nFor the setup:\n\n${snippet.map((line) => `${line}\n`).join('')}`
  return `${advised.advice.map(paragraph).join('\n')}${advice}`
}

function paragraph({ seen, shape, plan, suggestion }: Advice): string {
  const { document, total_ms, worst_ms, last_seen } = seen
  const times = Number(seen.seen)
  const { filter, orderBy, isCount } = forPeople(shape)
  const mean = Math.round(Number(total_ms) / times)
  const lines = [
    `${document}: ${countedOf(times, 'time')}, mean ${counted(mean)} ms, worst ${counted(Number(worst_ms))} ms, last ${last_seen}`,
    ...(isCount ? ['  a count'] : []),
    ...(filter === undefined ? [] : [`  filter: ${filter}`]),
    ...(orderBy === undefined ? [] : [`  order: ${orderBy}`]),
    ...(plan ?? ['such a question can no longer be asked']).map((step) => `  plan: ${step}`),
    `  ${suggestion ? sentence(suggestion) : 'no further index would serve it'}`,
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function sentence({ section, of, table, names }: SuggestedIndex): string {
  if (of === 'foreign') return `an index would serve it, on ${table} (${names.join(', ')}), which its owner can make`
  return section === 'textIndexes'
    ? `a text index would serve it: ${names[0]}`
    : `an index would serve it: [${names.join(', ')}]`
}

/** The sections with what they have and what is suggested, a line each. */
function snippetOf({ advice, declared }: Advised): string[] {
  const lines: string[] = []
  for (const section of ['indexes', 'textIndexes'] as const) {
    const wanted = new Map<string, { readonly of: SuggestedIndex['of']; readonly texts: Set<string> }>()
    for (const { seen, suggestion } of advice) {
      if (suggestion?.section !== section || suggestion.of === 'foreign') continue
      const known = wanted.get(seen.document) ?? {
        of: suggestion.of,
        texts: declaredIn(declared.get(seen.document), section),
      }
      known.texts.add(section === 'indexes' ? `[${suggestion.names.join(', ')}]` : suggestion.names.join())
      wanted.set(seen.document, known)
    }
    const builtIn = [...wanted].filter(([, { of }]) => of === 'built-in')
    if (builtIn.length > 0) lines.push(`${section}:`)
    for (const [document, { texts }] of builtIn) lines.push(`  ${document}: [${[...texts].join(', ')}]`)
    for (const [document, { of, texts }] of wanted) {
      if (of === 'own') lines.push(`    ${section}: [${[...texts].join(', ')}] # of the document ${document}`)
    }
  }
  return lines
}

function declaredIn(setup: IndexesSetup | undefined, section: SuggestedIndex['section']): Set<string> {
  const texts = section === 'indexes' ? setup?.indexes?.map((paths) => `[${paths.join(', ')}]`) : setup?.textIndexes
  return new Set(texts ?? [])
}
