import { PageFrame } from '../../parts/page-frame.tsx'

export function HomePage() {
  return <PageFrame title="Home">{null}</PageFrame>
}
