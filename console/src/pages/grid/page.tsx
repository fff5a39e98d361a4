import { PageFrame } from '../../parts/page-frame.tsx'

export function GridPage() {
  return <PageFrame title="Records">{null}</PageFrame>
}
