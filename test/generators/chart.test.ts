// The objects of the Helm chart, compared with the schemas of Kubernetes.
import { beforeAll, expect, it } from 'vitest'
import { renderChart, SQLITE, TWO_ROLES } from '../deploy/render-chart.ts'
import { install } from './generate.ts'

async function models() {
  const [{ Deployment, StatefulSet }, { Job }, { PodDisruptionBudget }, { ConfigMap, Service }] = await Promise.all([
    import('kubernetes-models/apps/v1'),
    import('kubernetes-models/batch/v1'),
    import('kubernetes-models/policy/v1'),
    import('kubernetes-models/v1'),
  ])
  return { Deployment, StatefulSet, Job, PodDisruptionBudget, ConfigMap, Service }
}
let known: Awaited<ReturnType<typeof models>>

beforeAll(async () => {
  await install()
  known = await models()
})

it.each([
  ['PostgreSQL', {}, ['ConfigMap', 'Deployment', 'PodDisruptionBudget', 'Service']],
  ['two roles of PostgreSQL', TWO_ROLES, ['ConfigMap', 'Deployment', 'Job', 'PodDisruptionBudget', 'Service']],
  ['SQLite', SQLITE, ['ConfigMap', 'Service', 'StatefulSet']],
])('makes the objects for %s, as Kubernetes takes them', (_name, values, kinds) => {
  const objects = renderChart(values)
  expect(objects.map(({ kind }) => kind).sort()).toEqual(kinds)
  for (const one of objects) {
    const Model = known[one.kind as keyof typeof known]
    new Model(one as never).validate()
  }
})
