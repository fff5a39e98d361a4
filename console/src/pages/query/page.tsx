import { PageFrame } from '../../parts/page-frame.tsx'

export function QueryPage() {
  return <PageFrame title="Ask">{null}</PageFrame>
}
