import { CodeBlock } from '../../components/code-block.tsx'
import { Page, SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SetupCard, useProgress } from '../../components/setup-card.tsx'
import { useSampleWorld } from '../../sample-world.ts'
import { getSamples } from '../../samples.ts'

export default function SetupPage() {
  const world = useSampleWorld()
  const progress = useProgress()
  return (
    <Page title="Setup" lead="Four things are needed before messages reach real customers. Each is checked live.">
      <QueryView query={progress}>{(data) => <SetupCard progress={data} />}</QueryView>
      <SameByCode>
        <CodeBlock title="Your channel, from the API" samples={getSamples(world, '/v1/auth/me')} />
      </SameByCode>
    </Page>
  )
}
