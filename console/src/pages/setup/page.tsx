import { PageFrame } from '../../parts/page-frame.tsx'

export function SetupPage() {
  return <PageFrame title="Setup and health">{null}</PageFrame>
}
