import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { declarationOf, setupOf } from '../../support/own/random-declarations.ts'
import { startWorld } from '../../support/world.ts'

it('starts', async () => {
  const documents = fc.sample(fc.tuple(...Array.from({ length: 40 }, (_, at) => declarationOf(`d${at}`))), {
    seed: 1,
    numRuns: 1,
  })[0]!
  const folder = mkdtempSync(join(tmpdir(), 'declared-'))
  const file = join(folder, 'setup.yaml')
  const text = JSON.parse(setupOf(documents)); text.roles[0].apis = { objects: ['read'] }; writeFileSync(file, JSON.stringify(text))
  console.log(JSON.stringify(documents[0]), JSON.stringify(documents[7]))
  const t = performance.now()
  const world = await startWorld('sqlite', file)
  console.log('start', performance.now() - t)
  for (const { name } of documents) {
    const a = await world.send({ as: 'all', url: `/v1/objects/${name}` })
    expect([a.status, a.text]).toEqual([200, '[]'])
  }
  const o = await world.send({ url: '/openapi.json' })
  console.log(o.status, o.text.length, performance.now() - t)
  await world.stop()
})
