import { readText } from '../../base/process/read-text.ts'
import { YamlSource } from './yaml-source.ts'

/** The variables of the environment that a setup file names. A file that cannot be read names none. */
export function variablesIn(file: string): readonly string[] {
  const names: string[] = []
  JSON.stringify(new YamlSource(readText(file)).data, (key, value: unknown) => {
    if ((key === 'secretEnv' || key === 'env') && typeof value === 'string') names.push(value)
    return value
  })
  return names
}
