// The sampler that OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG configure.
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'

/** Throws for an unsupported name or argument. */
export function samplerOf(environment: NodeJS.ProcessEnv): Sampler {
  const name = environment.OTEL_TRACES_SAMPLER || 'parentbased_always_on'
  const [, isParentBased, kind] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? []
  if (kind === undefined)
    throw new Error(
      `OTEL_TRACES_SAMPLER is ${name}: it must be always_on, always_off or traceidratio, or one of them after parentbased_`,
    )
  const root = rootOf(kind, environment.OTEL_TRACES_SAMPLER_ARG)
  return isParentBased ? new ParentBasedSampler({ root }) : root
}

function rootOf(kind: string, argument: string | undefined): Sampler {
  if (kind === 'always_on') return new AlwaysOnSampler()
  if (kind === 'always_off') return new AlwaysOffSampler()
  const ratio = argument ? Number(argument) : 1
  if (ratio >= 0 && ratio <= 1) return new TraceIdRatioBasedSampler(ratio)
  throw new Error('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
}
