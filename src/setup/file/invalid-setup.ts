/** A mistake in a setup: each line of the message tells the people who write the setup what is wrong. */
export class InvalidSetup extends Error {
  override readonly name = 'InvalidSetup'
}
