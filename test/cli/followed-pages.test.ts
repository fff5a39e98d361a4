// The pages that go from nothing to a company that answers are followed: their commands, in their order, print what
// they say.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { followPage } from '../support/followed-page.ts'
import { temporaryFolder } from '../support/process.ts'
import { STORE_KINDS } from '../support/world.ts'

const MOVE = 'guides/start/move.md'
const EXAMPLE = 'examples/move'

it.each(STORE_KINDS)('moves from another system on %s, as the page says', async (kind) => {
  const folder = temporaryFolder()
  cpSync(EXAMPLE, folder.path, { recursive: true })
  try {
    await followPage(MOVE, kind, folder.path)
  } finally {
    folder.remove()
  }
})

it('shows the maps of that page as they are in the example', () => {
  const page = readFileSync(MOVE, 'utf8')
  for (const name of ['kunder.yaml', 'ordre.yaml']) {
    const lines = readFileSync(join(EXAMPLE, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# The headings'))
    expect(page).toContain(`${lines.join('\n')}\n`)
  }
})

it.each(STORE_KINDS)('declares an order on %s, as the page says', async (kind) => {
  const folder = temporaryFolder()
  try {
    await followPage('guides/start/declare.md', kind, folder.path)
  } finally {
    folder.remove()
  }
})
