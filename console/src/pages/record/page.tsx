import { PageFrame } from '../../parts/page-frame.tsx'

export function RecordPage() {
  return <PageFrame title="Record">{null}</PageFrame>
}
