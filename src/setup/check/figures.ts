// Checks the figures of companies: each is a question that its document answers.
import type { DocumentDefinition } from '../../model/document.ts'
import { QueryError } from '../../query/parse/query-error.ts'
import { planGrouping } from '../../query/plan-grouping.ts'
import type { FigureSetup, Setup } from '../file/setup-schema.ts'
import type { SetupPart, YamlSource } from '../file/yaml-source.ts'
import { checkReference } from './check.ts'
import { documentNames, type FindDocument, findOf, namesOfDeclared, problemOfFilter } from './role-restrictions.ts'

export function checkFigures(setup: Setup, source: YamlSource, findBuiltIn: FindDocument): void {
  const [names, declared] = [documentNames(setup), namesOfDeclared(setup, source)]
  for (const [index, company] of (setup.companies ?? []).entries()) {
    const builtIn = findOf(company, source.at('companies', index), findBuiltIn)
    for (const [at, figure] of (company.figures ?? []).entries()) {
      const place = source.at('companies', index, 'figures', at)
      checkReference(place.at('document'), 'Enterprise Document', figure.document, names)
      checkFigure(figure, place, declared.get(figure.document) ?? builtIn(figure.document))
    }
  }
}

function checkFigure(
  { filter, sum, by }: FigureSetup,
  place: SetupPart,
  definition: DocumentDefinition | undefined,
): void {
  const check = (member: string, problem: string | undefined) => {
    if (problem !== undefined && place.at(member).isValid) place.at(member).add(problem)
  }
  if (filter !== undefined) check('filter', problemOfFilter(filter, definition))
  if (!definition) return
  if (sum !== undefined)
    check(
      'sum',
      problemIn(() => planGrouping(definition, { aggregate: `sum(${sum})` })),
    )
  if (by !== undefined) check('by', problemOfPeriod(definition, by))
}

function problemOfPeriod(definition: DocumentDefinition, by: string): string | undefined {
  return problemIn(() => {
    const { groups = [] } = planGrouping(definition, { groupBy: by }) ?? {}
    const isPeriod =
      groups.length === 1 && groups.every(({ by: { type } }) => type === 'integer' || type === 'date-time')
    return isPeriod ? undefined : `${by} is no period and no day`
  })
}

function problemIn(plan: () => unknown): string | undefined {
  try {
    const problem = plan()
    return typeof problem === 'string' ? problem : undefined
  } catch (error) {
    if (error instanceof QueryError) return error.message
    throw error
  }
}
