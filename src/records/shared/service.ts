// What every use case needs, put together once in app.ts.
import type { Observe } from '../../observe/observation.ts'
import type { Companies } from '../../setup/companies.ts'
import type { Store } from '../../store/store.ts'

export interface Service {
  readonly store: Store
  readonly companies: Companies
  readonly observe: Observe
}
