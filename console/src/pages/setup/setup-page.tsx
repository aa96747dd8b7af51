import { CodeBlock } from '../../components/code-block.tsx'
import { Page, SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SetupCard, useProgress } from '../../components/setup-card.tsx'
import { getSamples } from '../../samples.ts'
import { useSession } from '../../session.ts'

export default function SetupPage() {
  const { base_url: baseUrl } = useSession()
  const progress = useProgress()
  return (
    <Page
      title="Setup"
      lead="Four things are needed before messages reach real customers. Each is looked up, never ticked."
    >
      <QueryView query={progress}>{(data) => <SetupCard progress={data} />}</QueryView>
      <SameByCode>
        <CodeBlock
          title="What the API knows of your channel"
          samples={getSamples({ baseUrl, apiKey: '' }, '/v1/auth/me')}
        />
      </SameByCode>
    </Page>
  )
}
