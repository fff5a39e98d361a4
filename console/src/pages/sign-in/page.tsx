import { PageFrame } from '../../parts/page-frame.tsx'

export function SignInPage() {
  return <PageFrame title="Sign in">{null}</PageFrame>
}
