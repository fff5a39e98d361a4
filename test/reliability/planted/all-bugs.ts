import { readdirSync } from 'node:fs'
import type { PlantedBug } from './planted-bug.ts'

const NO_BUGS = ['all-bugs.ts', 'planted-bug.ts', 'run.ts']

/** Those of all files beside this one. */
export async function allBugs(): Promise<PlantedBug[]> {
  const files = readdirSync(import.meta.dirname).filter((file) => !NO_BUGS.includes(file))
  const modules = await Promise.all(files.map((file) => import(`./${file}`) as Promise<Record<string, PlantedBug[]>>))
  return modules.flatMap((module) => Object.values(module).flat())
}
