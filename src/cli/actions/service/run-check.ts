import { createClient } from '#client'
import { readText } from '../../../base/process/read-text.ts'
import type { ServiceCredentials } from '../../settings/service-credentials.ts'
import { badUsage, requireFile } from '../../terminal/bad-usage.ts'
import { shown } from '../../terminal/terminal-text.ts'
import { asking } from './asking.ts'
import { companyTypes } from './company-types.ts'
import { driftOf } from './run-types.ts'
import { type TypesModel, typesModel } from './types-model.ts'

const PLACE = "option '--check'"

/** Prints what has drifted since the file was written. Answers whether it is the same. */
export async function checkTypes(
  credentials: ServiceCredentials,
  company: string | undefined,
  file: string,
  output: NodeJS.WritableStream,
): Promise<boolean> {
  requireFile(PLACE, file)
  const before = modelOf(file)
  const client = createClient(credentials, company === undefined ? {} : { company })
  const now = typesModel(await asking(credentials, () => companyTypes(client)))
  const drift = driftOf(before, now)
  for (const { breaks, text } of drift) output.write(`${breaks ? 'breaks' : 'fine  '}  ${shown(text)}\n`)
  return drift.length === 0
}

function modelOf(file: string): TypesModel {
  try {
    const model = typesModel(readText(file))
    if (model.size > 0) return model
  } catch (error) {
    throw badUsage(`${PLACE}: ${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
  throw badUsage(`${PLACE}: ${file} has no types of documents`)
}
