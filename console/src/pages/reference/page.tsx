import { PageFrame } from '../../parts/page-frame.tsx'

export function ReferencePage() {
  return <PageFrame title="Reference">{null}</PageFrame>
}
