import { PageFrame } from '../../parts/page-frame.tsx'

export function IntegrationsPage() {
  return <PageFrame title="Integrations">{null}</PageFrame>
}
