import { PageFrame } from '../../parts/page-frame.tsx'

export function AccountPage() {
  return <PageFrame title="Sessions">{null}</PageFrame>
}
