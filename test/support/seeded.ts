// Gives random tests without a seed of their own the seed of the run.
import fc from 'fast-check'
import { SEED } from './reliability-test.ts'

fc.configureGlobal({ seed: SEED })
