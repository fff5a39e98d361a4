import { AddressGuard } from '../../../src/subscriptions/address-guard.ts'

/** As if the machine itself were somewhere in the Internet: receivers of tests are there. */
export class OpenGuard extends AddressGuard {
  constructor() {
    super({ allowed: ['loopback'] })
  }

  override tells(): boolean {
    return true
  }
}
