// The demo company as `npm start` serves it, in a process of its own, with a small ledger.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { counted } from './costs.ts'
import { serveHere } from './process.ts'
import { PROGRAM } from './program.ts'
import { newPlace, placeOf } from './world-templates.ts'

export interface Demo {
  /** Such as `http://127.0.0.1:41234`. */
  readonly address: string
  stop(): Promise<void>
}

const SECRET = Buffer.from('demo:demo-secret').toString('base64')
export const DEMO_AUTHORIZATION = { authorization: `Basic ${SECRET}` }

/** The data folder of a demo with an empty ledger: in a run of tests a copy of one that is made once, else a new one. */
export async function demoFolder(): Promise<string> {
  if (process.env.VITEST === undefined) return mkdtempSync(join(tmpdir(), 'tabularium-demo-'))
  const { data } = await placeOf('demo', async () => {
    const place = await newPlace('sqlite')
    const demo = await serveHere(['--data', place.data, '0'], {}, 'demo')
    await demo.stop()
    return place
  })
  return data
}

export async function startDemo(transactions: number): Promise<Demo> {
  const data = await demoFolder()
  const backups = `${data}-backups`
  const places = ['--data', data, '--backups', backups]
  const options = ['--port', '0', ...places, '--log-level', 'error', '--workers', '1']
  const args = [...PROGRAM, 'demo', String(transactions), ...options]
  counted.programs += 1
  const service = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    service.once('exit', (code) => reject(new Error(`the demo ended with ${code}`)))
    service.stdout.on('data', (data: Buffer) => {
      output += data
      if (output.includes('Ctrl-C')) resolve()
    })
  })
  const stop = async () => {
    const ended = new Promise((resolve) => service.once('exit', resolve))
    service.kill('SIGINT')
    await ended
    for (const folder of [data, backups]) rmSync(folder, { recursive: true, force: true })
  }
  return { address: /listening on (\S+)/.exec(output)?.[1] ?? '', stop }
}
