import type { SetupProblem } from './yaml-source.ts'

/** What is wrong with a setup, and where: at a line of the file, or of a document. */
export type SetupFault = { readonly place: string } & Pick<SetupProblem, 'message'> & Partial<SetupProblem>

/** Mistakes in a setup: each line of the message tells the people who write the setup one of them. */
export class InvalidSetup extends Error {
  override readonly name = 'InvalidSetup'
  readonly faults: readonly SetupFault[]

  constructor(faults: readonly SetupFault[]) {
    super(faults.map(({ place, message }) => `${place}: ${message}`).join('\n'))
    this.faults = faults
  }
}

/** Throws one error with all faults. */
export function requireNoFault(faults: readonly SetupFault[]): void {
  if (faults.length > 0) throw new InvalidSetup(faults)
}
